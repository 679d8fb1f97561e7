// Breaks text between words so that it fits a width. Wider words are broken between characters. Spaces at a break are
// left out; spaces at the beginning of a line stay, because they are somebody's indentation.

import { lineWidth } from './fit-line.ts'
import type { Line, Span } from './line.ts'
import { plainText, type Range, sliceSpans, visibleSpans } from './spans.ts'
import { makeVisible, splitLines } from './visible.ts'
import { clustersOf, elide, isSimple, widthOf } from './width.ts'

/** A list's mark or an indentation. Further rows of the line begin where its first word began. */
const INDENT = /^ *(?:(?:[-*+\u2022>]|\d{1,3}[.)]) +)?/

export interface Wrapping {
  readonly width: number
  /** Cells by which rows after the first are shorter, so that the caller can put something before them. */
  readonly hanging: number
}

/** Lines of at most `width` cells, made visible. An empty text is one empty line. */
export function wrapText(text: string, width: number): string[] {
  const lines = splitLines(text).flatMap((line) => wrapLine(line, width))
  return lines.length === 0 ? [''] : lines.map(plainText)
}

/** Breaks one line into rows of at most `width` cells. Rows after the first are indented like the first word. */
export function wrapLine(line: Line, width: number): Span[][] {
  const spans = visibleSpans(line)
  const text = plainText(spans)
  const hanging = hangingIndent(text, width)
  return wrapRanges(text, { width, hanging }).map((range, row) => {
    const indent = row === 0 || hanging === 0 ? [] : [' '.repeat(hanging)]
    return [...indent, ...fitSpans(sliceSpans(spans, range), width - (row === 0 ? 0 : hanging))]
  })
}

/** Puts pieces side by side, `gap` cells apart. Rows end between pieces; only a piece wider than a row is broken. */
export function packLines(pieces: readonly Line[], { width, gap }: { width: number; gap: number }): Span[][] {
  const rows: Span[][] = []
  let room = 0
  for (const piece of pieces) {
    const taken = lineWidth(piece)
    const row = rows.at(-1)
    if (row !== undefined && gap + taken <= room) {
      row.push(' '.repeat(gap), ...visibleSpans(piece))
      room -= gap + taken
    } else {
      rows.push(...wrapLine(piece, width))
      room = width - lineWidth(rows.at(-1) ?? [])
    }
  }
  return rows
}

/** Where the rows of a line begin and end. The line's text has been made visible. There is always at least one row. */
export function wrapRanges(text: string, { width, hanging }: Wrapping): Range[] {
  const ranges: Range[] = []
  const reach = rulerOf(text)
  let start = 0
  do {
    const room = Math.max(1, ranges.length === 0 ? width : width - hanging)
    const full = reach(start, room)
    const end = full === text.length ? full : breakBefore(text, start, full)
    ranges.push({ start, end })
    start = end
    while (text[start] === ' ') start += 1
  } while (start < text.length)
  return ranges
}

/** At most half of the width, because words need room too. */
export function hangingIndent(text: string, width: number): number {
  const indent = INDENT.exec(makeVisible(text.slice(0, width)))?.[0] ?? ''
  return indent.length * 2 <= width ? indent.length : 0
}

/** If even one character is wider than the room, an ellipsis takes its place. */
export function fitSpans(spans: readonly Span[], width: number): readonly Span[] {
  const text = plainText(spans)
  return widthOf(text) <= width ? spans : [elide(text, Math.max(0, width))]
}

/** The place after the last space in the row; if one word fills the row, the row's end. */
function breakBefore(text: string, start: number, full: number): number {
  if (text[full] === ' ') return full
  const space = text.lastIndexOf(' ', full - 1)
  const onlyIndent = text.slice(start, Math.max(start, space)).trim() === ''
  return space <= start || onlyIndent ? full : space
}

/** Code units. A longer cluster is no honest character: endless marks on it would make a row of any size. */
const LONGEST_CLUSTER = 64

/** Returns a function that says up to where a row from `start` fits into `room` cells; at least one character. */
function rulerOf(text: string): (start: number, room: number) => number {
  if (isSimple(text)) return (start, room) => Math.min(text.length, start + room)
  const clusters = clustersOf(text).flatMap(boundCluster)
  const edges = [0]
  for (const cluster of clusters) edges.push((edges.at(-1) ?? 0) + cluster.length)
  const cells = clusters.map((cluster) => Math.max(1, widthOf(cluster)))
  let first = 0
  return (start, room) => {
    while ((edges[first] ?? start) < start) first += 1
    let past = first + 1
    let left = room - (cells[first] ?? 0)
    for (; past < clusters.length; past += 1) {
      left -= cells[past] ?? 0
      if (left < 0) break
    }
    return edges[past] ?? text.length
  }
}

function boundCluster(cluster: string): string[] {
  if (cluster.length <= LONGEST_CLUSTER) return [cluster]
  const pieces: string[] = []
  for (let at = 0; at < cluster.length; at += LONGEST_CLUSTER) {
    pieces.push(cluster.slice(at, at + LONGEST_CLUSTER))
  }
  return pieces
}
