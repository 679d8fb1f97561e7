// How a part of a text looks while it is edited: tabs as an arrow up to the next stop, control characters as words. The
// cursor is placed by the same cells that are drawn.

import { splitClusters } from '../../text/clusters.ts'
import { type Span, span } from '../../text/line.ts'
import { makeVisible } from '../../text/visible.ts'
import { widthOf } from '../../text/width.ts'

/** One cell for each code unit. */
const SIMPLE = /^[\x20-\x7e]*$/
const TAB_STOP = 4

/** Cells of a cluster at cell `at` of its row. */
export const clusterWidth = (cluster: string, at: number): number =>
  cluster === '\t' ? TAB_STOP - (at % TAB_STOP) : shownWidth(cluster)

/** Remembered: long texts consist of few different characters, and measuring one takes longer than looking it up. */
const widths = new Map<string, number>()
const REMEMBERED = 10_000

function shownWidth(cluster: string): number {
  const known = widths.get(cluster)
  if (known !== undefined) return known
  const width = widthOf(makeVisible(cluster))
  if (cluster.length < 16 && widths.size < REMEMBERED) widths.set(cluster, width)
  return width
}

/** Cells of a text that begins at the start of a row. */
export function cellsOf(text: string): number {
  if (SIMPLE.test(text)) return text.length
  return splitClusters(text).reduce((cells, cluster) => cells + clusterWidth(cluster, cells), 0)
}

/**
 * The place in a row's text that a cell belongs to: the start of the cluster that covers it, or the end of the text.
 */
export function offsetAtCell(text: string, cell: number): number {
  if (SIMPLE.test(text)) return Math.min(Math.max(0, cell), text.length)
  let cells = 0
  let offset = 0
  for (const cluster of splitClusters(text)) {
    cells += clusterWidth(cluster, cells)
    if (cells > cell) return offset
    offset += cluster.length
  }
  return offset
}

/** The text of a row as it is drawn. */
export function showCells(text: string, ascii: boolean): readonly Span[] {
  const [first = '', ...others] = text.split('\t')
  const spans: Span[] = [first]
  let cells = cellsOf(first)
  for (const part of others) {
    const tab = clusterWidth('\t', cells)
    spans.push(span((ascii ? '>' : '→').padEnd(tab), 'dim'), part)
    cells += tab + cellsOf(part)
  }
  return spans
}
