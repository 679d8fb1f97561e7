// How many cells a text takes on the screen, and how to shorten it without breaking a character.

import stringWidth from 'fast-string-width'
import { splitClusters } from './clusters.ts'

/** Latin, Greek, Cyrillic, punctuation, arrows, frames and our own signs: each is one code unit and one cell. */
const NARROW =
  '\\x20-\\x7e\\xa1-\\xac\\xae-\\u02ff\\u0370-\\u0482\\u048a-\\u0513\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u22ff\\u23ce\\u2500-\\u25fc\\u25ff\\u2713\\u2717\\u2800-\\u28ff'
/** Kana, ideographs and their signs: each is one code unit, and never joins another. */
const WIDE = '\\u25fd\\u25fe\\u3000-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uff01-\\uff60'
const SIMPLE = new RegExp(`^[${NARROW}]*$`)
const APART = new RegExp(`^[${NARROW}${WIDE}]*$`)

/** Whether each code unit takes exactly one cell. */
export const isSimple = (text: string): boolean => SIMPLE.test(text)

/** What a reader takes for one character each. */
export const clustersOf = (text: string): string[] =>
  APART.test(text) ? text.split('') : splitClusters(text)

/** Cells of a text without control characters. */
export const widthOf = (text: string): number => (SIMPLE.test(text) ? text.length : stringWidth(text))

export type Elision = 'end' | 'middle'

/** At most `width` cells. An ellipsis of one cell shows that something is left out. */
export function elide(text: string, width: number, where: Elision = 'end'): string {
  if (widthOf(text) <= width) return text
  if (width <= 0) return ''
  if (width === 1) return '…'
  if (SIMPLE.test(text)) return elideSimple(text, width, where)
  const clusters = clustersOf(text)
  if (where === 'end') return `${takeCells(clusters, width - 1)}…`
  const head = takeCells(clusters, Math.ceil((width - 1) / 2))
  const tail = takeLastCells(clusters, width - 1 - widthOf(head))
  return `${head}…${tail}`
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'left' ? text + gap : gap + text
}

/** Up to `width` cells of a text, from cell `from` on. If a wide character is cut in half, a blank takes its place. */
export function sliceCells(text: string, from: number, width: number): string {
  if (SIMPLE.test(text)) return text.slice(from, from + width)
  const clusters = clustersOf(text)
  let [first, at] = [0, 0]
  for (; at < from && first < clusters.length; first += 1) at += widthOf(clusters[first] ?? '')
  const half = Math.max(0, at - from)
  return ' '.repeat(Math.min(half, width)) + takeCells(clusters.slice(first), width - half)
}

function elideSimple(text: string, width: number, where: Elision): string {
  const tail = where === 'end' ? 0 : Math.floor((width - 1) / 2)
  return `${text.slice(0, width - 1 - tail)}…${text.slice(text.length - tail)}`
}

function takeCells(clusters: readonly string[], width: number): string {
  let taken = ''
  let left = width
  for (const cluster of clusters) {
    left -= widthOf(cluster)
    if (left < 0) break
    taken += cluster
  }
  return taken
}

function takeLastCells(clusters: readonly string[], width: number): string {
  let taken = ''
  let left = width
  for (const cluster of clusters.toReversed()) {
    left -= widthOf(cluster)
    if (left < 0) break
    taken = cluster + taken
  }
  return taken
}
