// All rows of the hunks' box in order, without making any of them: 50,000 lines are a few sections, in which a row is
// found by bisection.

import { count } from '../../text/amounts.ts'
import type { DiffContent, DiffFile } from './diff-content.ts'
import type { Match } from './find-matches.ts'
import type { LineNumber, PatchHunk } from './patch-file.ts'

/** A file of so many lines or more is folded until the person unfolds it. */
const LARGE = 2000

/** By path, for files that the person has folded or unfolded. */
export type Folds = ReadonlyMap<string, boolean>

export type FlowRow =
  | { readonly kind: 'missing'; readonly what: string }
  | { readonly kind: 'gap'; readonly file: number }
  | { readonly kind: 'file'; readonly file: number; readonly folded: boolean }
  /** `folded`: it says that the hunks are folded away. */
  | { readonly kind: 'remark'; readonly file: number; readonly words: string; readonly folded: boolean }
  | { readonly kind: 'hunk'; readonly file: number; readonly hunk: PatchHunk }
  | { readonly kind: 'line'; readonly file: number; readonly hunk: PatchHunk; readonly at: number }

interface FlowSection {
  /** Its first row. */
  readonly start: number
  /** null if it belongs to no file. */
  readonly file: number | null
  /** The row at a place in the section. All lines of a hunk, with its heading, are one section. */
  readonly row: (at: number) => FlowRow
  readonly hunk: PatchHunk | null
  readonly kind: FlowRow['kind']
}

export interface Flow {
  readonly length: number
  readonly sections: readonly FlowSection[]
  /** The row of each file's heading. */
  readonly heads: readonly number[]
  /** The row of each hunk's heading, for hunks that are not folded away. */
  readonly hunks: ReadonlyMap<PatchHunk, number>
}

export const EMPTY_FLOW: Flow = { length: 0, sections: [], heads: [], hunks: new Map() }

export const isFolded = ({ change, lines }: DiffFile, folds: Folds): boolean =>
  folds.get(change.path) ?? lines > LARGE

export function layFlow(content: DiffContent, folds: Folds): Flow {
  const sections: FlowSection[] = []
  const heads: number[] = []
  const hunks = new Map<PatchHunk, number>()
  let length = 0
  const add = (rows: number, section: Omit<FlowSection, 'start'>): void => {
    sections.push({ ...section, start: length })
    length += rows
  }
  for (const what of content.incomplete) {
    add(1, { file: null, hunk: null, kind: 'missing', row: () => ({ kind: 'missing', what }) })
  }
  content.files.forEach((file, index) => {
    if (length > 0) add(1, plainSection({ kind: 'gap', file: index }))
    heads.push(length)
    const folded = isFolded(file, folds)
    add(1, plainSection({ kind: 'file', file: index, folded }))
    for (const words of file.remarks)
      add(1, plainSection({ kind: 'remark', file: index, words, folded: false }))
    if (folded && file.lines > 0) {
      const words = `${count(file.lines, 'line')}, folded`
      add(1, plainSection({ kind: 'remark', file: index, words, folded }))
    }
    for (const hunk of folded ? [] : file.hunks) {
      hunks.set(hunk, length)
      add(hunk.length + 1, hunkSection(index, hunk))
    }
  })
  return { length, sections, heads, hunks }
}

const plainSection = (row: Exclude<FlowRow, { kind: 'missing' }>): Omit<FlowSection, 'start'> => ({
  file: row.file,
  hunk: null,
  kind: row.kind,
  row: () => row,
})

const hunkSection = (file: number, hunk: PatchHunk): Omit<FlowSection, 'start'> => ({
  file,
  hunk,
  kind: 'hunk',
  row: (at) => (at === 0 ? { kind: 'hunk', file, hunk } : { kind: 'line', file, hunk, at: at - 1 }),
})

/** null beyond the end. */
export function rowAt(flow: Flow, at: number): FlowRow | null {
  const section = sectionAt(flow, at)
  return section === null ? null : section.row(at - section.start)
}

/** The file that the row belongs to; for rows above all files, the first one; null if there is none. */
export function fileAt(flow: Flow, at: number): number | null {
  return sectionAt(flow, at)?.file ?? (flow.heads.length === 0 ? null : 0)
}

function sectionAt({ sections, length }: Flow, at: number): FlowSection | null {
  if (at < 0 || at >= length) return null
  return sections[lastStarting(sections, at)] ?? null
}

/** The nearest hunk, or remark instead of one, that begins after the row or before it; with the row after its end. */
export function nextStop(flow: Flow, at: number, direction: 1 | -1): FlowStop | null {
  const { sections, length } = flow
  const here = lastStarting(sections, at)
  for (
    let index = direction > 0 ? here + 1 : here;
    index >= 0 && index < sections.length;
    index += direction
  ) {
    const section = sections[index]
    if (section === undefined || section.start === at) continue
    if (section.kind !== 'hunk' && section.kind !== 'remark') continue
    return { start: section.start, end: sections[index + 1]?.start ?? length }
  }
  return null
}

export interface FlowStop {
  readonly start: number
  readonly end: number
}

/** The row of the line with this number, or the nearest that there is; otherwise the file's heading. */
export function rowOfLine({ sections, heads }: Flow, file: number, line: LineNumber): number {
  const head = heads[file] ?? 0
  let row = head
  for (let index = lastStarting(sections, head); sections[index]?.file === file; index += 1) {
    const { hunk, start } = sections[index] ?? { hunk: null, start: 0 }
    if (hunk === null) continue
    const first = line.side === 'new' ? hunk.newStart : hunk.oldStart
    if (first > line.number && row !== head) break
    row = start + 1 + hunk.find(line)
  }
  return row
}

/** null if its file is folded. */
export function rowOfMatch({ hunks }: Flow, { hunk, at }: Match): number | null {
  const head = hunks.get(hunk)
  return head === undefined ? null : head + 1 + at
}

/** Index of the section that holds the row. */
function lastStarting(sections: readonly FlowSection[], at: number): number {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sections[middle]?.start ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
