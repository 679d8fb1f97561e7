// One changed file in one row: what happened to it, its path, its counts. For the list, and for the heading of its
// hunks.

import type { ChangeKind, FileChange } from '../../../core/model/change.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { plainText } from '../../text/spans.ts'
import type { Meaning } from '../../text/theme.ts'
import { makeVisible } from '../../text/visible.ts'
import { elide, pad, widthOf } from '../../text/width.ts'
import { glyph } from '../glyphs.ts'
import type { Look } from '../scene.ts'

const LETTERS: Readonly<Record<ChangeKind, readonly [letter: string, as: Meaning]>> = {
  added: ['A', 'added'],
  modified: ['M', 'dim'],
  deleted: ['D', 'removed'],
  renamed: ['R', 'dim'],
  copied: ['C', 'dim'],
  type_changed: ['T', 'dim'],
}

/** In a narrower place a letter stands for the word `untracked`. */
const WORDY = 40

export interface FileLineRoom {
  readonly width: number
  /** What stands before everything: the sign of a fold. */
  readonly lead: string
  readonly as: Meaning | null
}

export function fileLine(change: FileChange, { width, lead, as }: FileLineRoom, look: Look): Line {
  const [letter, meaning] = change.untracked ? (['?', 'added'] as const) : LETTERS[change.kind]
  const right = ['  ', ...marks(change, width), ...counts(change, look)]
  const taken = widthOf(plainText(right))
  const left = ` ${lead}`
  const room = Math.max(0, width - widthOf(left) - 2 - taken - 1)
  const path = pad(elide(pathOf(change, look), room, 'middle'), room)
  return [left, span(letter, meaning), ' ', as === null ? path : span(path, as), ...right]
}

export function pathOf({ path, from_path }: FileChange, look: Pick<Look, 'ascii'>): string {
  const shown = makeVisible(path)
  return from_path === null ? shown : `${makeVisible(from_path)} ${look.ascii ? '->' : '→'} ${shown}`
}

function marks({ uncommitted, untracked }: FileChange, width: number): Span[] {
  if (!uncommitted || width < WORDY) return []
  return [span(untracked ? 'untracked  ' : 'uncommitted  ', 'dim')]
}

/** `+42 −15`; a side without lines is left out. */
export function counts(
  { added, deleted, binary }: Pick<FileChange, 'added' | 'deleted' | 'binary'>,
  look: Pick<Look, 'ascii'>,
): Span[] {
  if (binary) return [span('binary', 'dim')]
  const plus = added === null || added === 0 ? [] : [`+${added}`]
  const less = deleted === null || deleted === 0 ? [] : [`${glyph('minus', look)}${deleted}`]
  const between = plus.length > 0 && less.length > 0 ? [' '] : []
  return [
    ...plus.map((text) => span(text, 'added')),
    ...between,
    ...less.map((text) => span(text, 'removed')),
  ]
}
