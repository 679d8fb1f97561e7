// How many cells a text takes on the screen, and how it is shortened to fit without breaking a character apart.

import stringWidth from 'fast-string-width'

/** One code unit, one cell each: the quick way for most texts. */
const SIMPLE = /^[\x20-\x7e…]*$/
let segmenter: Intl.Segmenter | undefined

/** What a person takes for one character each. The segmenter is made when it is first needed: it costs more than everything else here. */
export function clustersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter()
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

/** Cells of a text that holds no control characters. */
export const widthOf = (text: string): number => (SIMPLE.test(text) ? text.length : stringWidth(text))

export type Elision = 'end' | 'middle'

/** At most `width` cells. What is left out is shown by an ellipsis of one cell. */
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
