// Which command lines a case tries.

import type { Dice } from './dice.ts'

type Words = readonly string[]

interface Kind {
  readonly weight: number
  readonly words: (agent: string, worktree: string, dice: Dice) => readonly Words[]
}

const kind = (weight: number, words: Kind['words']): Kind => ({ weight, words })

const LANDINGS: readonly Words[] = [
  ['--apply'],
  ['--apply'],
  [],
  ['--commits-only'],
  ['--require-base', '--apply'],
]

const KINDS: readonly Kind[] = [
  kind(8, (agent, _, dice) => [['agent', 'land', agent, ...dice.of(LANDINGS)]]),
  kind(4, (agent) => [['agent', 'land', agent, '--apply'], ['undo']]),
  kind(5, (agent) => [['agent', 'discard', agent]]),
  kind(6, (agent) => [['agent', 'discard', agent], ['undo']]),
  kind(5, () => [['undo']]),
  kind(3, () => [['redo']]),
  kind(2, () => [['undo'], ['redo']]),
  kind(3, (_, worktree) => [['worktree', 'rm', worktree]]),
  kind(3, (_, worktree) => [['worktree', 'rm', worktree, '--force'], ['undo']]),
  kind(1, (_, worktree) => [['worktree', 'rm', worktree, '--force']]),
  kind(1, () => [['worktree', 'create', '--name', 'another']]),
  kind(3, (agent) => [['checkpoint', 'create', agent]]),
  kind(3, (agent, _, dice) => [['checkpoint', 'apply', agent, String(1 + dice.below(3))]]),
  kind(2, (agent) => [['checkpoint', 'apply', agent, '1'], ['undo']]),
  kind(1, (agent) => [['checkpoint', 'ls', agent]]),
  kind(1, (agent) => [['checkpoint', 'show', agent, '--diff']]),
  kind(2, (agent) => [['agent', 'diff', agent]]),
  kind(1, (agent) => [['agent', 'show', agent]]),
  kind(1, () => [['agent', 'ls', '--all']]),
  kind(1, () => [['worktree', 'ls', '--all']]),
  kind(1, (_, worktree) => [['worktree', 'show', worktree]]),
  kind(1, (agent) => [['agent', 'logs', agent]]),
  kind(2, (agent) => [['agent', 'kill', agent]]),
  kind(1, (agent) => [['agent', 'stop', agent]]),
  kind(1, (agent) => [['agent', 'wait', agent, '--timeout', '5']]),
  kind(1, () => [['doctor']]),
  kind(2, () => [['doctor', '--fix']]),
  kind(2, () => [['gc']]),
  kind(1, () => [['log']]),
]

const AGENTS = 6
const WORKTREES = 2

/** One command line, or a few that belong together. */
export function planVerb(dice: Dice): readonly Words[] {
  const agent = `@agent ${dice.below(AGENTS)}`
  const worktree = `@worktree ${dice.below(WORKTREES)}`
  return dice.weighed(KINDS).words(agent, worktree, dice)
}
