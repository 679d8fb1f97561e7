// One checkpoint compared with another moment, in the diff view. The same key goes round: the checkpoint before, where
// the sandbox began, the sandbox now.

import type { CheckpointAgainst } from '../../../core/facade/agency.ts'
import { type DiffState, openDiff } from '../diff/diff-state.ts'
import type { Action } from '../keys/bindings.ts'
import type { TimelineState } from './timeline-state.ts'

export interface Comparison {
  /** Number of the checkpoint. */
  readonly checkpoint: number
  readonly against: CheckpointAgainst
  readonly diff: DiffState
}

/** What is to be asked of the facade. */
export type ComparisonWant = Omit<Comparison, 'diff'>

/** What the checkpoint can be compared with, in the order of the key. For the first there is none before. */
export function comparable({ checkpoints, facts }: TimelineState, number: number): CheckpointAgainst[] {
  const first = checkpoints?.at(-1)?.id === number
  return [...(first ? [] : ['before' as const]), 'base', ...(facts.closed ? [] : ['now' as const])]
}

export function nextAgainst(state: TimelineState): CheckpointAgainst {
  const { comparison } = state
  if (comparison === null) return 'base'
  const all = comparable(state, comparison.checkpoint)
  return all[(all.indexOf(comparison.against) + 1) % all.length] ?? 'base'
}

/** Not read yet. The part of the diff view that has the focus keeps it. */
export function compareWith(
  state: TimelineState,
  { checkpoint, against }: ComparisonWant,
  now: Date,
): TimelineState {
  const { id, name, chord } = state.facts
  const facts = { id, name, chord: withoutKeys(chord), empty: EMPTY[against] }
  const opened = openDiff(facts, now)
  const before = state.comparison?.diff
  const diff =
    before === undefined ? opened : { ...opened, focus: before.focus, highlighter: before.highlighter }
  return { ...state, comparison: { checkpoint, against, diff } }
}

const EMPTY: Readonly<Record<CheckpointAgainst, string>> = {
  before: 'Nothing differs from the one before.',
  base: 'Nothing differs from where the sandbox began.',
  now: 'Nothing has changed since.',
}

/** Actions that only make sense in the diff of the whole work. */
export const WORK_ONLY: ReadonlySet<Action> = new Set<Action>([
  'invocation.diff',
  'diff.commits',
  'diff.whitespace',
])

const withoutKeys =
  (chord: TimelineState['facts']['chord']) =>
  (action: Action): string =>
    WORK_ONLY.has(action) ? '' : chord(action)
