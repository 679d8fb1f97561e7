// How records look in lists and on their own page. Pure: facts in, lines out.

import type { InvocationView, InvocationViews, WorktreeView } from '../../../core/facade/agency.ts'
import { describeEnvironment } from '../../../core/model/environment.ts'
import { shortId } from '../../../core/model/ids.ts'
import type { BrokenInvocation, InvocationRecord } from '../../../core/model/invocation.ts'
import { showPath } from '../../../core/model/sandbox-path.ts'
import { formatAge } from '../../text/ages.ts'
import { count, formatCost, formatUsage } from '../../text/amounts.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { type Column, formatTable } from '../../text/table.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import type { Page } from '../commands/command.ts'

const INVOCATION_COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'WORKTREE', shrink: 'middle' },
  { title: 'RUNNER', shrink: 'end' },
  { title: 'STATE' },
  { title: 'AGE', align: 'right' },
  { title: 'COST', align: 'right' },
  { title: 'NAME', shrink: 'end' },
  { title: 'PROMPT', shrink: 'end' },
]

export function formatInvocations({ invocations, broken }: InvocationViews, page: Page): Line[] {
  const shared = sharedShortIds(invocations)
  const rows = invocations.map((view) => invocationRow(view, shared, page.now))
  return [
    ...(rows.length === 0 ? [] : formatTable(INVOCATION_COLUMNS, rows, page.columns)),
    ...(rows.length === 0 && broken.length === 0 ? viewNoInvocation() : []),
    ...viewBroken(broken),
  ]
}

function invocationRow(view: InvocationView, shared: ReadonlySet<string>, now: Date): Span[] {
  const { record } = view
  const short = shortId(record.invocation_id)
  return [
    shared.has(short) ? record.invocation_id : short,
    view.worktree_name,
    record.runner,
    viewState(view),
    formatAge(record.started_at, now),
    formatCost(record.usage?.cost_usd),
    record.invocation_name,
    span(record.prompt ?? '', 'dim'),
  ]
}

/** Last four characters that more than one row has. */
function sharedShortIds(invocations: readonly InvocationView[]): Set<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { record } of invocations) {
    const short = shortId(record.invocation_id)
    if (seen.has(short)) shared.add(short)
    seen.add(short)
  }
  return shared
}

function viewState({ display, record }: InvocationView): Span {
  const look = STATE_LOOKS[display]
  return span(display === 'failed' ? `failed ${formatEnd(record)}`.trimEnd() : look.words, look.meaning)
}

function formatEnd(record: InvocationRecord): string {
  if (record.exit_signal !== null) return record.exit_signal
  return record.exit_code === null ? '' : `(${record.exit_code})`
}

const viewNoInvocation = (): Line[] => [
  'No agent here yet. Start one:',
  "  agency agent start --worktree NAME --headless --prompt 'What to do'",
]

export function viewBroken(broken: readonly BrokenInvocation[]): Line[] {
  return broken.map(({ invocation_id, reason }) => [span('broken ', 'failed'), `${invocation_id}: ${reason}`])
}

const WORKTREE_COLUMNS: readonly Column[] = [
  { title: 'NAME', shrink: 'middle' },
  { title: 'AGENTS' },
  { title: 'STATE' },
  { title: 'USED', align: 'right' },
  { title: 'BRANCH', shrink: 'middle' },
  { title: 'FROM', shrink: 'middle' },
]

export function formatWorktrees(worktrees: readonly WorktreeView[], page: Page): Line[] {
  if (worktrees.length === 0)
    return ['No worktree here yet. Make one:', '  agency worktree create --name my-feature']
  const rows = worktrees.map((view) => [
    view.record.name,
    summarizeAgents(view),
    view.record.state === 'archived' ? span('archived', 'idle') : '',
    formatAge(view.record.last_used_at, page.now),
    view.record.branch,
    span(view.record.parent_branch, 'dim'),
  ])
  return formatTable(WORKTREE_COLUMNS, rows, page.columns)
}

function summarizeAgents({ active, needs_input, ready }: WorktreeView): Span {
  const parts = [
    active > 0 ? `${active} active` : '',
    needs_input > 0 ? `${needs_input} ${needs_input === 1 ? 'needs' : 'need'} you` : '',
    ready > 0 ? `${ready} ready` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return span('none', 'idle')
  return span(parts.join(', '), needs_input > 0 ? 'needs_you' : active > 0 ? 'working' : 'ready')
}

export function formatWorktree(view: WorktreeView, page: Page): Line[] {
  const { record } = view
  return viewFields([
    ['worktree', record.name],
    ['id', record.worktree_id],
    ['state', record.state],
    ['branch', record.branch],
    ['from', record.parent_branch],
    ['head', record.known_head],
    ['path', record.tree_path],
    ['agents', summarizeAgents(view)],
    ['made', agoOf(record.created_at, page.now)],
    ['used', agoOf(record.last_used_at, page.now)],
  ])
}

export function formatInvocation(view: InvocationView, page: Page): Line[] {
  const { record } = view
  return viewFields([
    ['invocation', record.invocation_id],
    ['name', record.invocation_name],
    ['worktree', view.worktree_name],
    ['runner', [record.runner, record.mode, record.model ?? ''].filter((part) => part !== '').join(', ')],
    ['state', viewState(view)],
    ['ended', record.finished_at === null ? '' : `${record.exit_reason ?? ''} ${formatEnd(record)}`.trim()],
    ['failure', record.failure === null ? '' : span(record.failure, 'failed')],
    ['started', agoOf(record.started_at, page.now)],
    ['finished', agoOf(record.finished_at, page.now)],
    ['output', agoOf(view.last_output_at, page.now)],
    ['usage', record.usage === null ? '' : formatUsage(record.usage)],
    ['denied', span(record.usage?.denied_tools.join(', ') ?? '', 'needs_you')],
    ['session', record.runner_session_id ?? ''],
    ['follows', record.parent_invocation_id ?? ''],
    ['branch', record.sandbox_branch],
    ['base', record.base_commit],
    ['sandbox', showPath(record.sandbox_path)],
    ['environment', `${record.environment.name} (${describeEnvironment(record.environment)})`],
    ['prompt', record.prompt ?? ''],
  ])
}

const agoOf = (at: string | null, now: Date): string =>
  at === null ? '' : `${formatAge(at, now)} ago (${at})`

/** `name  value`, aligned. Leaves out fields without a value. */
export function viewFields(fields: readonly (readonly [name: string, value: Span])[]): Line[] {
  return fields
    .filter(([, value]) => (typeof value === 'string' ? value : value.text) !== '')
    .map(([name, value]) => [span(name.padEnd(12), 'dim'), value])
}

export const viewNotes = (notes: readonly string[]): Line[] =>
  notes.map((note) => [span('note: ', 'needs_you'), note])

/** `b7c9 (claude)`: how messages call an invocation. */
export const nameInvocation = (record: InvocationRecord): string =>
  `${shortId(record.invocation_id)} (${record.runner})`

export const nameAgents = (records: readonly InvocationRecord[]): string =>
  `${count(records.length, 'agent')}${records.length === 0 ? '' : `: ${records.map(nameInvocation).join(', ')}`}`
