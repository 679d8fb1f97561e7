// Soft wrap: where the rows of a line begin. Words stay whole if they fit. Nothing is left out, because the cursor can
// go everywhere: a space that does not fit hangs in the cell that is kept for the cursor.

import { splitClusters } from '../../text/clusters.ts'
import { clusterWidth } from './cells.ts'

const SIMPLE = /^[\x20-\x7e]*$/

/** Offsets at which rows begin, in order; the first is 0. A cluster wider than the row gets a row of its own. */
export function wrapSoftly(text: string, width: number): readonly number[] {
  if (text.length < LONG) return measureRows(text, width)
  const known = recent.find((entry) => entry.width === width && entry.text === text)
  if (known !== undefined) return known.starts
  const starts = measureRows(text, width)
  recent.unshift({ text, width, starts })
  recent.length = Math.min(recent.length, REMEMBERED)
  return starts
}

interface WrappedLine {
  readonly text: string
  readonly width: number
  readonly starts: readonly number[]
}

/** Remembered, so that a line of a megabyte is wrapped once per key and not once per question. */
const recent: WrappedLine[] = []
const REMEMBERED = 4
const LONG = 2000

const measureRows = (text: string, width: number): readonly number[] => {
  const cells = Math.max(1, width)
  return SIMPLE.test(text) ? wrapSimple(text, cells) : wrapClusters(splitClusters(text), cells)
}

function wrapSimple(text: string, width: number): readonly number[] {
  const starts = [0]
  for (let start = 0; text.length - start > width; starts.push(start)) {
    const blank = text.lastIndexOf(' ', start + width)
    start = blank >= start ? blank + 1 : start + width
  }
  return starts
}

interface Break {
  /** Index of the cluster after it. */
  readonly next: number
  readonly offset: number
}

function wrapClusters(clusters: readonly string[], width: number): readonly number[] {
  const starts = [0]
  let cells = 0
  let offset = 0
  let chance: Break | null = null
  for (let at = 0; at < clusters.length; ) {
    const cluster = clusters[at] ?? ''
    const wide = clusterWidth(cluster, cells)
    if (cells + wide > width && cells > 0) {
      const hangs = cluster === ' ' ? { next: at + 1, offset: offset + 1 } : null
      // Goes back to the last possible break, because tabs are measured from the start of their row.
      const from: Break = hangs ?? chance ?? { next: at, offset }
      starts.push(from.offset)
      ;({ next: at, offset } = from)
      cells = 0
      chance = null
      continue
    }
    cells += wide
    offset += cluster.length
    at += 1
    if (wide === 2 || cluster === ' ' || cluster === '\t') chance = { next: at, offset }
  }
  return starts
}
