// Walks a log row by row without knowing how many rows it has: only blocks that it passes are laid out.

import { innerRect, type Size } from '../scene.ts'
import { showsIn } from './block.ts'
import { type BlockLayout, type LaidLine, layBlock } from './lay-block.ts'
import { blockAt, type LogPlace, type LogState, type Script, shownScript } from './log-state.ts'
import { seekBlock } from './seek-block.ts'

export interface Measure {
  /** Rows inside the border. */
  readonly height: number
  /** Cells inside the border. */
  readonly width: number
  /** Cells for text. */
  readonly text: number
  /** Whether there is room for the time at the right. */
  readonly times: boolean
}

const TIMES_FROM = 70
/** `12:03` and what keeps it apart. */
export const TIME_WIDTH = 7

/** `size` with the border. */
export function measureLog({ columns, rows }: Size): Measure {
  const { width, height } = innerRect({ x: 0, y: 0, width: columns, height: rows })
  const times = width >= TIMES_FROM
  return { height, width, text: Math.max(1, width - 2 - (times ? TIME_WIDTH : 0)), times }
}

/** The blocks of a log that pass its filter, laid out for a width. */
export interface Reel {
  readonly script: Script
  readonly from: number
  readonly to: number
  /** null where the block is not shown. */
  layoutAt(seq: number): BlockLayout | null
  /** The nearest block from `seq` on that is shown, upwards or downwards. */
  seek(seq: number, step: 1 | -1): number | null
}

export function openReel(state: LogState, { text }: Pick<Measure, 'text'>): Reel {
  const script = shownScript(state)
  const { first, blocks, unfolded } = script
  return {
    script,
    from: first - (script.head === null ? 0 : 1),
    to: first + blocks.length - (script.tail === null ? 1 : 0),
    layoutAt(seq) {
      const block = blockAt(script, seq)
      if (block === null || !showsIn(block, state.filter)) return null
      return layBlock(block, { width: text, unfolded: unfolded.has(seq) })
    },
    seek: (seq, step) => seekShown(state, seq, step),
  }
}

export const laidLineAt = (reel: Reel, { seq, line }: LogPlace): LaidLine | null =>
  reel.layoutAt(seq)?.lines[line] ?? null

export const firstPlace = (reel: Reel): LogPlace | null => enterBelow(reel, reel.from)
export const lastPlace = (reel: Reel): LogPlace | null => enterAbove(reel, reel.to)

export function nextPlace(reel: Reel, { seq, line, row }: LogPlace): LogPlace | null {
  const lines = reel.layoutAt(seq)?.lines ?? []
  if (row + 1 < (lines[line]?.rows().length ?? 0)) return { seq, line, row: row + 1 }
  return line + 1 < lines.length ? { seq, line: line + 1, row: 0 } : enterBelow(reel, seq + 1)
}

export function previousPlace(reel: Reel, { seq, line, row }: LogPlace): LogPlace | null {
  if (row > 0) return { seq, line, row: row - 1 }
  return line > 0 ? lastRowOf(reel, seq, line - 1) : enterAbove(reel, seq - 1)
}

/** The place, or the nearest that there is: widths, folds and filters change what is shown. */
export function settlePlace(reel: Reel, { seq, line, row }: LogPlace): LogPlace | null {
  const layout = reel.layoutAt(seq)
  if (layout === null) return enterBelow(reel, seq) ?? enterAbove(reel, seq)
  if (line >= layout.lines.length) return lastRowOf(reel, seq, layout.lines.length - 1)
  return { seq, line, row: Math.min(row, (layout.lines[line]?.rows().length ?? 1) - 1) }
}

/** Where a block begins, below the empty row that sets it apart. */
export function headPlace(reel: Reel, seq: number): LogPlace {
  const lines = reel.layoutAt(seq)?.lines ?? []
  return {
    seq,
    line: Math.max(
      0,
      lines.findIndex(({ text }) => text !== null),
    ),
    row: 0,
  }
}

export const comparePlaces = (a: LogPlace, b: LogPlace): number =>
  a.seq - b.seq || a.line - b.line || a.row - b.row

/** The places on the screen: from the top where the person stands, or the last that fit. Full if the log is long enough. */
export function screenPlaces(reel: Reel, height: number): readonly LogPlace[] {
  const { stand } = reel.script
  const top = stand === null ? null : settlePlace(reel, stand.top)
  if (top === null) return walkBack(reel, lastPlace(reel), height)
  const places = walkOn(reel, top, height)
  return [...walkBack(reel, previousPlace(reel, top), height - places.length), ...places]
}

function walkOn(reel: Reel, start: LogPlace, amount: number): LogPlace[] {
  const places: LogPlace[] = []
  for (let at: LogPlace | null = start; at !== null && places.length < amount; at = nextPlace(reel, at)) {
    places.push(at)
  }
  return places
}

function walkBack(reel: Reel, start: LogPlace | null, amount: number): LogPlace[] {
  const places: LogPlace[] = []
  for (let at = start; at !== null && places.length < amount; at = previousPlace(reel, at)) places.push(at)
  return places.reverse()
}

/** The first row at or below a block. */
function enterBelow(reel: Reel, seq: number): LogPlace | null {
  const at = reel.seek(Math.max(seq, reel.from), 1)
  return at === null ? null : { seq: at, line: 0, row: 0 }
}

function enterAbove(reel: Reel, seq: number): LogPlace | null {
  const at = reel.seek(Math.min(seq, reel.to), -1)
  return at === null ? null : lastRowOf(reel, at, (reel.layoutAt(at)?.lines.length ?? 1) - 1)
}

function seekShown(state: LogState, seq: number, step: 1 | -1): number | null {
  const { blocks, first, head, tail } = shownScript(state)
  const at = seq - first
  if ((at === -1 && head !== null) || (at === blocks.length && tail !== null)) return seq
  const found = seekBlock(blocks, { filter: state.filter, at, step })
  if (found !== null) return first + found
  if (step < 0) return head === null ? null : first - 1
  return tail === null ? null : first + blocks.length
}

function lastRowOf(reel: Reel, seq: number, line: number): LogPlace {
  return { seq, line, row: (laidLineAt(reel, { seq, line, row: 0 })?.rows().length ?? 1) - 1 }
}
