// agency agent diff, land and discard: what becomes of an agent's work.

import type { Landing } from '../../core/agency.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { count } from '../text/amounts.ts'
import { type Line, span } from '../text/line.ts'
import { INVOCATION } from './agent-commands.ts'
import type { Call, CommandRow, Result } from './command.ts'
import { operand } from './command.ts'
import { nameOf, viewNotes } from './views.ts'

export const LANDING_COMMANDS: readonly CommandRow[] = [
  {
    path: ['agent', 'diff'],
    summary: 'Show the whole work of an agent: commits, uncommitted and untracked files',
    args: [INVOCATION],
    options: [
      { flags: '--stat', summary: 'commits and files only' },
      { flags: '--patch', summary: 'the patch only; into a pipe or file as git made it' },
    ],
    examples: [
      { line: 'agency agent diff b7c9', says: 'all of it' },
      { line: 'agency agent diff b7c9 --patch | git apply --check', says: 'as a patch' },
    ],
    run: diffAgent,
  },
  {
    path: ['agent', 'land'],
    summary: "Put an agent's work onto the branch of its worktree",
    description:
      'All of it or nothing. A conflict changes nothing and exits 5. Afterwards the sandbox goes; agency undo brings\nboth back as they were.',
    args: [INVOCATION],
    options: [
      { flags: '--apply', summary: 'land uncommitted and untracked files too, as one commit on top' },
      { flags: '--commits-only', summary: 'land the commits; the rest is kept for undo' },
      { flags: '--require-base', summary: 'refuse if the worktree has moved on since the agent began' },
    ],
    examples: [
      { line: 'agency agent land b7c9', says: 'its commits' },
      { line: 'agency agent land b7c9 --apply', says: 'and what it left uncommitted' },
    ],
    run: landAgent,
  },
  {
    path: ['agent', 'discard'],
    summary: "Drop an agent's work and its sandbox",
    description:
      'A running agent is stopped first. The work is kept for undo, 14 days by default (keep_discarded).',
    args: [INVOCATION],
    examples: [{ line: 'agency agent discard b7c9', says: 'agency undo brings it back' }],
    run: discardAgent,
  },
]

async function diffAgent(call: Call): Promise<Result> {
  const [only, stat] = [call.flag('patch'), call.flag('stat')]
  if (only && stat) throw new AgencyError('E_USAGE', '--stat and --patch cannot be given together')
  const diff = await (await call.agency()).diffInvocation(operand(call), { patch: !stat })
  if (only && call.console.stdout.isTTY !== true) return { data: { diff }, verbatim: diff.patch }
  const { viewDiff } = await import('./diff-view.ts')
  return { data: { diff }, view: (page) => viewDiff(diff, { page, summary: !only }) }
}

async function landAgent(call: Call): Promise<Result> {
  const landing = await (await call.agency()).landInvocation(operand(call), {
    apply: call.flag('apply'),
    commits_only: call.flag('commits-only'),
    require_base: call.flag('require-base'),
  })
  return { data: landing, view: () => viewLanding(landing) }
}

const MANNERS = { fast_forward: 'as they are', commits: 'one by one', squash: 'as one' } as const

function viewLanding({ invocation, worktree, from, to, landed, skipped, manner, notes }: Landing): Line[] {
  return [
    [
      span('landed ', 'landed'),
      span(nameOf(invocation), 'strong'),
      ` onto ${worktree.name}: ${count(landed.length, 'commit')} ${MANNERS[manner]} `,
      span(`${from.slice(0, 7)}..${to.slice(0, 7)}`, 'dim'),
    ],
    ...(skipped.length === 0
      ? []
      : [`skipped ${count(skipped.length, 'commit')} that changed nothing there`]),
    ...viewNotes(notes),
    span('agency undo takes it back', 'dim'),
  ]
}

async function discardAgent(call: Call): Promise<Result> {
  const discarded = await (await call.agency()).discardInvocation(operand(call), (message) =>
    call.say(span(message, 'dim')),
  )
  return {
    data: discarded,
    view: () => [
      [span('discarded ', 'idle'), span(nameOf(discarded.invocation), 'strong')],
      ...viewNotes(discarded.notes),
      span('agency undo brings it back', 'dim'),
    ],
  }
}
