// The tree as rows. A row never wraps: what is least needed gives way first.

import { shortId } from '../../../core/model/ids.ts'
import { isActive, isClosed } from '../../../core/model/invocation.ts'
import { formatAge } from '../../text/ages.ts'
import { count, formatCost } from '../../text/amounts.ts'
import { lineWidth, spreadLine } from '../../text/fit-line.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { spansOf } from '../../text/spans.ts'
import { type Meaning, STATE_LOOKS } from '../../text/theme.ts'
import { pad } from '../../text/width.ts'
import { glyph, stateGlyph, stillGlyph } from '../glyphs.ts'
import type { Diffstat, ObservedInvocation } from '../observe/snapshot.ts'
import type { Bar, Look, Row } from '../scene.ts'
import type { BrokenItem, InvocationItem, TreeItem, WorktreeItem } from './tree-items.ts'

export interface TreeView {
  readonly items: readonly TreeItem[]
  readonly selected: string | null
  readonly pinned: ReadonlySet<string>
  /** What is being done to it, by the id of the invocation or worktree. */
  readonly tasks: ReadonlyMap<string, string>
  /** Cells inside the border. */
  readonly width: number
  readonly height: number
  /** First line that is shown. */
  readonly top: number
}

export function viewTree(tree: TreeView, look: Look): Row[] {
  const shown: Row[] = []
  for (let index = firstShown(tree.items, tree.top); shown.length < tree.height; index += 1) {
    const item = tree.items[index]
    if (item === undefined) break
    const bar: Bar | undefined =
      item.key === tree.selected ? (look.focused ? 'selected' : 'unfocused') : undefined
    for (const line of linesOf(item, tree, look).slice(Math.max(0, tree.top - item.at))) {
      shown.push(bar === undefined ? { line } : { line, bar })
    }
  }
  return shown.slice(0, tree.height)
}

/** Index of the item that the line belongs to. */
export function firstShown(items: readonly TreeItem[], line: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && item.at + item.lines <= line) low = middle + 1
    else high = middle
  }
  return low
}

function linesOf(item: TreeItem, tree: TreeView, look: Look): Line[] {
  switch (item.kind) {
    case 'heading':
      return [span(` ${item.words}`, 'dim')]
    case 'worktree':
      return [worktreeLine(item, tree, look)]
    case 'broken':
      return [brokenLine(item, tree.width, look)]
    case 'invocation':
      return invocationLines(item, tree, look)
  }
}

function worktreeLine({ view, folded, children }: WorktreeItem, tree: TreeView, look: Look): Line {
  const { record } = view
  const sign = children === 0 ? ' ' : glyph(folded ? 'folded' : 'unfolded', look)
  const task = tree.tasks.get(record.worktree_id)
  const right: Span[] =
    task !== undefined
      ? [span(task, 'working')]
      : record.state === 'archived'
        ? [span('archived', 'dim')]
        : counters(view, look)
  const named = span(record.name, record.state === 'archived' ? 'dim' : 'strong')
  return spreadLine([` ${sign} `, named], right, tree.width)
}

/** `2▶ 1? 1✓`: how many work, need a person, are ready. */
export function counters(
  counts: { readonly active: number; readonly needs_input: number; readonly ready: number },
  look: Pick<Look, 'ascii'>,
): Span[] {
  const working = counts.active - counts.needs_input
  const parts: (readonly [amount: number, sign: string, as: Meaning])[] = [
    [working, stillGlyph('working', look), 'working'],
    [counts.needs_input, stillGlyph('needs_input', look), 'needs_you'],
    [counts.ready, stillGlyph('ready', look), 'ready'],
  ]
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, sign, as], index) => span(`${index === 0 ? '' : ' '}${amount}${sign}`, as))
}

/** Narrower trees leave the ages out, of every row alike: a name says more. */
const ROOM_FOR_AGES = 32

function invocationLines({ row, last }: InvocationItem, tree: TreeView, look: Look): Line[] {
  const { record, display } = row
  const closed = isClosed(record)
  const branch = ` ${glyph(last ? 'last_branch' : 'branch', look)}`
  const pin = tree.pinned.has(record.invocation_id) ? glyph('pinned', look) : ' '
  const name = record.invocation_name === '' ? record.runner : record.invocation_name
  const age = formatAge(isActive(record) ? record.started_at : record.finished_at, look.now)
  const task = tree.tasks.get(record.invocation_id)
  const { words, meaning } = STATE_LOOKS[display]
  const state = task ?? words
  const stated = span(`${stateGlyph(display, look)} ${state}`, meaning)
  const left: Span[] = [
    span(` ${branch}`, 'dim'),
    span(pin, 'accent'),
    span(shortId(record.invocation_id), closed ? 'dim' : 'accent'),
    ' ',
    closed ? span(name, 'dim') : name,
  ]
  const right = tree.width < ROOM_FOR_AGES ? [stated] : [stated, span(` ${pad(age, 3, 'right')}`, 'dim')]
  const lines = [spreadLine(left, right, tree.width)]
  const trunk = last ? ' ' : glyph('trunk', look)
  const indent = span(`  ${trunk}       `, 'dim')
  const rest = figures(row, look, tree.width - lineWidth(indent) - 1)
  return rest.length === 0 ? lines : [...lines, [indent, ...rest]]
}

/** `+42 −15 · 3 files · $0.31 · ◷ 2m`, the last being the age of its last checkpoint. */
export function figures(
  { record, diff: { value }, checkpoints }: ObservedInvocation,
  look: Pick<Look, 'ascii' | 'now'>,
  width: number,
): Span[] {
  if (isClosed(record)) return []
  const work = value !== null && value.files > 0 ? value : null
  const cost = formatCost(record.usage?.cost_usd)
  const figures: (readonly [yields: number, figure: Line])[] = [
    [0, work === null ? '' : changed(work, look)],
    [3, work === null ? '' : span(count(work.files, 'file'), 'dim')],
    [2, span(cost, 'dim')],
    [
      1,
      checkpoints === null
        ? ''
        : span(`${glyph('checkpoint', look)} ${formatAge(checkpoints.last_at, look.now)}`, 'dim'),
    ],
  ]
  return joinFigures(figures, look, width)
}

/** What yields first is left out where there is no room for all. */
function joinFigures(
  figures: readonly (readonly [yields: number, figure: Line])[],
  look: Pick<Look, 'ascii'>,
  width: number,
): Span[] {
  const between = span(` ${glyph('dot', look)} `, 'dim')
  let shown = figures.filter(([, figure]) => lineWidth(figure) > 0)
  const line = (): Span[] =>
    shown.flatMap(([, figure], index) => [...(index === 0 ? [] : [between]), ...spansOf(figure)])
  while (shown.length > 1 && lineWidth(line()) > width) {
    const first = Math.max(...shown.map(([yields]) => yields))
    shown = shown.filter(([yields]) => yields !== first)
  }
  return line()
}

const changed = ({ added, deleted }: Diffstat, look: Pick<Look, 'ascii'>): Span[] => [
  span(`+${added}`, 'added'),
  ' ',
  span(`${glyph('minus', look)}${deleted}`, 'removed'),
]

function brokenLine({ broken }: BrokenItem, width: number, look: Look): Line {
  const left: Span[] = ['   ', span(shortId(broken.invocation_id), 'dim'), ' ']
  return spreadLine(left, [span(`${glyph('broken', look)} ${broken.reason}`, 'failed')], width)
}
