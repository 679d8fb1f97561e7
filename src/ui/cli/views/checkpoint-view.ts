// How checkpoints look in a list and on their own page. Pure: facts in, lines out.

import type { Checkpoint } from '../../../core/model/checkpoint.ts'
import { shortId } from '../../../core/model/ids.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import { formatAge } from '../../text/ages.ts'
import { lackOf, reasonOf } from '../../text/checkpoint-words.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { type Column, formatTable } from '../../text/table.ts'
import type { Page } from '../commands/command.ts'
import { viewFields } from './views.ts'

const COLUMNS: readonly Column[] = [
  { title: 'N', align: 'right' },
  { title: 'AGE', align: 'right' },
  { title: 'WHY' },
  { title: 'CHANGES' },
  { title: 'NOTE', shrink: 'end' },
  { title: 'NAME', shrink: 'end' },
]

export function viewCheckpoints(
  { invocation_id }: InvocationRecord,
  checkpoints: readonly Checkpoint[],
  page: Page,
): Line[] {
  if (checkpoints.length === 0) {
    return [
      'No checkpoint yet. They are taken while the agent works, when its files have',
      'changed, and at its exit. Take one now:',
      `  agency checkpoint create ${shortId(invocation_id)}`,
    ]
  }
  const rows = checkpoints.map((checkpoint): Span[] => [
    String(checkpoint.id),
    formatAge(checkpoint.created_at, page.now),
    reasonOf(checkpoint),
    checkpoint.diffstat,
    span(lackOf(checkpoint), 'needs_you'),
    span(checkpoint.name ?? '', 'strong'),
  ])
  return formatTable(COLUMNS, rows, page.columns)
}

export function viewCheckpoint(invocation: InvocationRecord, checkpoint: Checkpoint, now: Date): Line[] {
  const { created_at } = checkpoint
  return viewFields([
    ['checkpoint', `${checkpoint.id}`],
    ['name', checkpoint.name ?? ''],
    ['invocation', invocation.invocation_id],
    ['taken', `${formatAge(created_at, now)} ago (${created_at})`],
    ['why', reasonOf(checkpoint)],
    ['changes', checkpoint.diffstat],
    ['after', checkpoint.parent === null ? '' : `${checkpoint.parent}`],
    ['head', checkpoint.head_sha ?? 'no commit yet'],
    ['commit', checkpoint.snapshot_commit],
    ['left out', span(checkpoint.excluded.join(', '), 'needs_you')],
    ['incomplete', span(checkpoint.incomplete.join(', '), 'needs_you')],
  ])
}
