// The box below the tree: facts about the selected row.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import { describeEnvironment, isBoxed } from '../../../core/model/environment.ts'
import { shortId } from '../../../core/model/ids.ts'
import type { LandingForecast } from '../../../core/model/landing.ts'
import { formatAge } from '../../text/ages.ts'
import { count, formatUsage } from '../../text/amounts.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { elide, pad } from '../../text/width.ts'
import type { ObservedInvocation, Snapshot } from '../observe/snapshot.ts'
import { type Look, type Row, rows } from '../scene.ts'
import type { TreeItem } from '../tree/tree-items.ts'

export interface DetailView {
  readonly item: TreeItem | null
  readonly snapshot: Snapshot
  /** Cells inside the border. */
  readonly width: number
}

export function viewDetail(detail: DetailView, look: Look): Row[] {
  const { item, width } = detail
  switch (item?.kind) {
    case 'heading':
    case undefined:
      return []
    case 'broken':
      return rows(...pairs([['broken', item.broken.reason]], width))
    case 'worktree':
      return rows(...pairs(worktreePairs(item.view, look), width))
    case 'invocation':
      return rows(...invocationDetail(item.row, detail, look))
  }
}

type DetailPair = readonly [name: string, value: Span | null]

const worktreePairs = ({ record }: WorktreeView, look: Look): readonly DetailPair[] => [
  ['branch', record.branch],
  ['parent', record.parent_branch],
  ['path', record.tree_path],
  ['made', `${formatAge(record.created_at, look.now)} ago`],
]

function invocationDetail(row: ObservedInvocation, { snapshot, width }: DetailView, look: Look): Line[] {
  const { record } = row
  const { usage } = record
  const model = record.model === null ? '' : ` ${record.model}`
  return [
    ...pairs(
      [
        ['runner', `${record.runner}${model} · ${record.mode}`],
        [
          'box',
          isBoxed(record.environment)
            ? `${record.environment.name}: ${describeEnvironment(record.environment)}`
            : null,
        ],
        ['branch', record.sandbox_branch],
        [
          'base',
          `${record.base_commit.slice(0, 7)}${record.parent_invocation_id === null ? '' : ` from ${shortId(record.parent_invocation_id)}`}`,
        ],
        ['lands', forecastOf(row)],
        ['diff', diffOf(row, look)],
        ['kept', keptOf(row, look)],
        ['prompt', record.prompt],
        ['ended', record.failure === null ? null : span(record.failure, 'failed')],
        ['usage', usage === null ? null : formatUsage(usage)],
        [
          'denied',
          usage === null || usage.denied_tools.length === 0
            ? null
            : span(usage.denied_tools.join(', '), 'failed'),
        ],
      ],
      width,
    ),
    ...lastEvents(row, { snapshot, width }, look),
  ]
}

/** `12 states, 3m ago` */
const keptOf = ({ checkpoints }: ObservedInvocation, look: Look): Span | null =>
  checkpoints === null
    ? null
    : `${count(checkpoints.count, 'state')}, ${formatAge(checkpoints.last_at, look.now)} ago`

function forecastOf({ forecast }: ObservedInvocation): Span | null {
  if (forecast.failed !== null) return span(forecast.failed.message, 'failed')
  return forecast.value === null ? null : describeForecast(forecast.value)
}

function describeForecast(forecast: LandingForecast): Span {
  switch (forecast.kind) {
    case 'clean':
      return span(`clean, ${count(forecast.commits, 'commit')}`, 'ready')
    case 'conflict':
      return span(`conflicts: ${forecast.files.join(', ')}`, 'failed')
    case 'nothing':
      return span('nothing to land', 'dim')
    case 'refused':
      return span(forecast.message, 'needs_you')
  }
}

/** Shown only when it matters: what the row shows is older than it looks, or could not be read. */
function diffOf({ diff }: ObservedInvocation, look: Look): Span | null {
  if (diff.failed !== null) return span(`unknown: ${diff.failed.message}`, 'failed')
  if (diff.at === null || look.now.getTime() - diff.at.getTime() < 60_000) return null
  return span(`as of ${formatAge(diff.at.toISOString(), look.now)} ago`, 'dim')
}

function lastEvents(
  row: ObservedInvocation,
  { snapshot, width }: Pick<DetailView, 'snapshot' | 'width'>,
  look: Look,
): Line[] {
  const { detail } = snapshot
  if (detail === null || detail.invocation_id !== row.record.invocation_id) return []
  return detail.events
    .toReversed()
    .map(
      (event): Line => [
        ' ',
        span(pad(formatAge(event.at, look.now), 4, 'right'), 'dim'),
        span(`  ${elide(event.message, Math.max(0, width - 8))}`, 'dim'),
      ],
    )
}

const NAME_WIDTH = 7
/** Shortened at the beginning, because their ends tell them apart. In other texts the beginning says most. */
const PATHS: ReadonlySet<string> = new Set(['branch', 'parent', 'path'])

function pairs(all: readonly DetailPair[], width: number): Line[] {
  return all.flatMap(([name, value]): Line[] => {
    if (value === null || value === '') return []
    const text = elide(
      typeof value === 'string' ? value : value.text,
      Math.max(0, width - NAME_WIDTH - 2),
      PATHS.has(name) ? 'middle' : 'end',
    )
    return [
      [' ', span(pad(name, NAME_WIDTH), 'dim'), typeof value === 'string' ? text : span(text, value.as)],
    ]
  })
}
