// One line of code on the screen: its numbers, its sign, its text with colours and matches, moved and cut to the width.

import { type Line, type Span, span } from '../../text/line.ts'
import { plainText, recolour, textOf, withText } from '../../text/spans.ts'
import type { Meaning } from '../../text/theme.ts'
import { expandTabs, makeVisible } from '../../text/visible.ts'
import { pad, sliceCells, widthOf } from '../../text/width.ts'
import type { Row } from '../scene.ts'
import { placesOf } from './find-matches.ts'
import type { LineKind, PatchLine } from './patch-file.ts'

export interface CodePlace {
  /** Cells of the whole row. */
  readonly width: number
  /** Digits of the largest number of the file. */
  readonly digits: number
  readonly shift: number
  /** The text that is searched for; empty for none. */
  readonly wanted: string
}

const TAB = 4
/** In a narrower place there is only one number, and in a still narrower one none. */
const WIDE = 60
const NARROW = 34

interface Sign {
  readonly text: string
  readonly as: Meaning
}

const SIGNS: Readonly<Record<LineKind, Sign>> = {
  added: { text: '+', as: 'added' },
  removed: { text: '-', as: 'removed' },
  context: { text: ' ', as: 'dim' },
  note: { text: ' ', as: 'dim' },
}

/** `coloured` is its text in coloured parts, if the highlighter has them. */
export function codeRow(line: PatchLine, coloured: readonly Span[] | null, place: CodePlace): Row {
  const numbers = numbersOf(line, place)
  const sign = SIGNS[line.kind]
  const room = Math.max(0, place.width - widthOf(numbers) - 2)
  const text = line.kind === 'note' ? [span(line.text.trim(), 'dim')] : (coloured ?? [line.text])
  const laid: Line = [
    span(numbers, 'dim'),
    span(`${sign.text} `, sign.as),
    ...layText(text, line, { ...place, width: room }),
  ]
  return line.kind === 'added' || line.kind === 'removed' ? { line: laid, bar: line.kind } : { line: laid }
}

function numbersOf({ old, new: fresh }: PatchLine, { width, digits }: CodePlace): string {
  const show = (number: number | null): string =>
    ` ${pad(number === null ? '' : `${number}`, digits, 'right')}`
  if (width >= WIDE) return `${show(old)}${show(fresh)} `
  return width >= NARROW ? `${show(fresh ?? old)} ` : ' '
}

function layText(text: readonly Span[], { cut }: PatchLine, { width, shift, wanted }: CodePlace): Span[] {
  const seen = markMatches(seeSpans(text), wanted)
  const shown = cutSpans(seen, shift, width)
  const goesOn = cut || widthOf(plainText(seen)) > shift + width
  return goesOn && width > 0 ? [...cutSpans(shown, 0, width - 1), span('…', 'dim')] : shown
}

/** The spans as they will be drawn. A carriage return at the end is set apart, because it is no part of the code. */
function seeSpans(spans: readonly Span[]): Span[] {
  let from = 0
  return spans.flatMap((part, index) => {
    const text = expandTabs(textOf(part), { every: TAB, from })
    const bare = index === spans.length - 1 ? text.replace(/\r$/, '') : text
    const seen = makeVisible(bare)
    from += widthOf(seen)
    return [withText(part, seen), ...(bare === text ? [] : [span('\\r', 'dim')])]
  })
}

function markMatches(spans: readonly Span[], wanted: string): readonly Span[] {
  return wanted === '' ? spans : recolour(spans, placesOf(plainText(spans), wanted), 'accent')
}

function cutSpans(spans: readonly Span[], from: number, width: number): Span[] {
  const shown: Span[] = []
  let at = 0
  for (const part of spans) {
    const wide = widthOf(textOf(part))
    const first = Math.max(0, from - at)
    const room = from + width - Math.max(at, from)
    if (first === 0 && wide <= room) shown.push(part)
    else if (first < wide && room > 0) shown.push(withText(part, sliceCells(textOf(part), first, room)))
    at += wide
  }
  return shown
}
