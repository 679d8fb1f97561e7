// What diff, land and discard do: they call the facade and put its answers into words.

import type { Landing } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { count } from '../../text/amounts.ts'
import { type Line, span } from '../../text/line.ts'
import { type Call, operand, type Result } from '../commands/command.ts'
import { formatDiff } from '../views/diff-view.ts'
import { nameInvocation, viewNotes } from '../views/views.ts'

export async function diffAgent(call: Call): Promise<Result> {
  const [only, stat] = [call.flag('patch'), call.flag('stat')]
  if (only && stat) throw new AgencyError('E_USAGE', '--stat and --patch cannot be given together')
  const diff = await (await call.agency()).diffInvocation(operand(call), { patch: !stat })
  const data = { diff: { ...diff, patch: Buffer.from(diff.patch).toString('utf8') } }
  if (only && call.console.stdout.isTTY !== true) return { data, verbatim: diff.patch }
  return { data, view: (page) => formatDiff(diff, { page, summary: !only }) }
}

export async function landAgent(call: Call): Promise<Result> {
  const landing = await (await call.agency()).landInvocation(operand(call), {
    apply: call.flag('apply'),
    commits_only: call.flag('commits-only'),
    require_base: call.flag('require-base'),
  })
  return { data: landing, view: () => viewLanding(landing) }
}

const MANNERS = { fast_forward: 'fast-forward', commits: 'on top of it', squash: 'squashed' } as const

function viewLanding({ invocation, worktree, from, to, landed, skipped, manner, notes }: Landing): Line[] {
  return [
    [
      span('landed ', 'landed'),
      span(nameInvocation(invocation), 'strong'),
      ` onto ${worktree.name}: ${count(landed.length, 'commit')}, ${MANNERS[manner]} `,
      span(`${from.slice(0, 7)}..${to.slice(0, 7)}`, 'dim'),
    ],
    ...(skipped.length === 0
      ? []
      : [`skipped ${count(skipped.length, 'commit')} that changed nothing there`]),
    ...viewNotes(notes),
    span('agency undo takes it back', 'dim'),
  ]
}

export async function discardAgent(call: Call): Promise<Result> {
  const discarded = await (await call.agency()).discardInvocation(operand(call), (message) =>
    call.say(span(message, 'dim')),
  )
  return {
    data: discarded,
    view: () => [
      [span('discarded ', 'idle'), span(nameInvocation(discarded.invocation), 'strong')],
      ...viewNotes(discarded.notes),
      span('agency undo brings it back', 'dim'),
    ],
  }
}
