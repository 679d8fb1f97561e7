// Lays a block out for a width: which lines are shown, and into which rows each is broken. Only blocks on the screen
// come here, and the last ones are remembered, so that a log may be as long as it likes.

import { span } from '../../text/line.ts'
import { plainText, type Range, sliceSpans } from '../../text/spans.ts'
import { widthOf } from '../../text/width.ts'
import { hangingIndent, wrapRanges } from '../../text/wrap.ts'
import type { Block } from './block.ts'
import { type Lead, type Section, type SectionLine, sectionsOf } from './block-sections.ts'

export interface Form {
  /** Cells that text may take. */
  readonly width: number
  readonly unfolded: boolean
}

export interface LaidLine extends SectionLine {
  /** Which of the block's texts it is of, and from where; null for what is no text of the log. */
  readonly text: number | null
  readonly from: number
  /** Counts lines that are folded away; the only kind of line that does. */
  readonly folds: boolean
  /** One row, with an ellipsis where it is longer. */
  readonly brief: boolean
  /** Cells that rows after the first are moved in by. */
  readonly indent: number
  /** Ranges of its spans, a row each; at least one. */
  rows(): readonly Range[]
}

export interface BlockLayout {
  readonly lines: readonly LaidLine[]
  /** Whether it looks different when it is unfolded. */
  readonly foldable: boolean
  /** All that it says, folded or not, by the numbers of its lines. */
  texts(): readonly string[]
}

const NO_LEAD: Lead = { cells: '', ascii: '', as: 'dim' }
const FOLD_LEAD: Lead = { cells: '  … ', ascii: '  … ', as: 'dim' }
/** Characters that are broken into rows at once. */
const LONGEST_PIECE = 2000
/** How far back a piece may end to end between words. */
const SLACK = 200
/** Blocks that are remembered: some screens full. */
const REMEMBERED = 2000

const rememberedLayouts = new Map<Block, { readonly form: Form; readonly layout: BlockLayout }>()

export function layBlock(block: Block, form: Form): BlockLayout {
  const known = rememberedLayouts.get(block)
  if (known?.form.width === form.width && known.form.unfolded === form.unfolded) return known.layout
  const layout = layOutBlock(block, form)
  if (rememberedLayouts.size >= REMEMBERED) rememberedLayouts.clear()
  rememberedLayouts.set(block, { form, layout })
  return layout
}

/** The texts of a block, all of them: what a search is over. */
export const textsOf = (block: Block): string[] =>
  block.kind === 'note'
    ? []
    : sectionsOf(block).flatMap(({ lines }) => lines.map(({ spans }) => plainText(spans)))

function layOutBlock(block: Block, form: Form): BlockLayout {
  const lines: LaidLine[] = 'gap' in block && block.gap ? [chrome([], form.width)] : []
  let foldable = false
  let text = 0
  for (const section of sectionsOf(block)) {
    const laid = laySection(section, form, block.kind === 'note' ? null : text)
    lines.push(...laid.lines)
    foldable ||= laid.foldable
    text += section.lines.length
  }
  let texts: readonly string[] | null = null
  return {
    lines: lines.length === 0 ? [chrome([], form.width)] : lines,
    foldable,
    texts() {
      texts ??= textsOf(block)
      return texts
    },
  }
}

function laySection(section: Section, form: Form, text: number | null): Omit<BlockLayout, 'texts'> {
  const { shown, brief } = section
  const folds = section.lines.length > shown + 1
  const kept = folds && !form.unfolded ? section.lines.slice(0, shown) : section.lines
  const lines = kept.flatMap((line, at) =>
    layLine(line, { ...form, text: text === null ? null : text + at, brief: brief && !form.unfolded }),
  )
  const hidden = section.lines.length - kept.length
  const cut = brief && section.lines.some((line) => isWider(line, form.width))
  if (hidden > 0) lines.push(foldLine(hidden, form.width))
  return { lines, foldable: folds || cut }
}

interface LineForm extends Form {
  readonly text: number | null
  readonly brief: boolean
}

function layLine(line: SectionLine, form: LineForm): LaidLine[] {
  const whole = plainText(line.spans)
  if (form.brief || whole.length <= LONGEST_PIECE) return [layPiece(line, form, 0)]
  const laid: LaidLine[] = []
  for (let start = 0; start < whole.length; ) {
    const end = endOfPiece(whole, start, roomOf(line, form.width))
    const first = start === 0 ? line.lead : line.hang
    laid.push(layPiece({ ...line, lead: first, spans: sliceSpans(line.spans, { start, end }) }, form, start))
    start = end
  }
  return laid
}

function layPiece(line: SectionLine, form: LineForm, from: number): LaidLine {
  const width = roomOf(line, form.width)
  const text = plainText(line.spans)
  const indent = form.brief ? 0 : hangingIndent(text, width)
  let rows: readonly Range[] | null = null
  return {
    ...line,
    text: form.text,
    from,
    folds: false,
    brief: form.brief,
    indent,
    rows() {
      rows ??= form.brief ? [briefRange(text, width)] : wrapRanges(text, { width, hanging: indent })
      return rows
    },
  }
}

/** Between words if there are some near its end, else where a row may be full; never within a surrogate pair. */
function endOfPiece(text: string, start: number, room: number): number {
  const end = start + Math.max(1, Math.floor(LONGEST_PIECE / room)) * room
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  if (space > end - SLACK) return space + 1
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end
}

/** Room for the ellipsis where it is not the whole. */
function briefRange(text: string, width: number): Range {
  const near = text.slice(0, LONGEST_PIECE)
  if (near.length === text.length && widthOf(text) <= width) return { start: 0, end: text.length }
  const cut = near.replaceAll(' ', '_')
  return wrapRanges(cut, { width: Math.max(1, width - 1), hanging: 0 })[0] ?? { start: 0, end: 0 }
}

const roomOf = ({ lead }: SectionLine, width: number): number => Math.max(1, width - lead.cells.length)

const isWider = (line: SectionLine, width: number): boolean => {
  const text = plainText(line.spans)
  return text.length > LONGEST_PIECE || widthOf(text) > roomOf(line, width)
}

const foldLine = (hidden: number, width: number): LaidLine => ({
  ...chrome([`${hidden} more lines`], width),
  lead: FOLD_LEAD,
  folds: true,
})

function chrome(words: readonly string[], width: number): LaidLine {
  const spans = words.map((text) => span(text, 'dim'))
  const line = { lead: NO_LEAD, hang: NO_LEAD, spans }
  return layPiece(line, { width, unfolded: true, brief: true, text: null }, 0)
}
