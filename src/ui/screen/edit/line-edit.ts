// The keys of one line of text, as in readline. Used by the one-line field and by the editor of several lines.

import { nextBoundary, previousBoundary, snapToBoundary } from '../../text/clusters.ts'
import { nextWord, previousBlank, previousWord } from './word-moves.ts'

/** `cursor` is an offset in code units between two grapheme clusters. `killed` is what Ctrl-Y brings back. */
export interface LineEdit {
  readonly text: string
  readonly cursor: number
  readonly killed: string
}

type Target = (text: string, at: number) => number

const START: Target = () => 0
const END: Target = (text) => text.length

const MOVES: Readonly<Record<string, Target>> = {
  left: previousBoundary,
  'ctrl+b': previousBoundary,
  right: nextBoundary,
  'ctrl+f': nextBoundary,
  'ctrl+left': previousWord,
  'alt+left': previousWord,
  'alt+b': previousWord,
  'ctrl+right': nextWord,
  'alt+right': nextWord,
  'alt+f': nextWord,
  home: START,
  'ctrl+a': START,
  end: END,
  'ctrl+e': END,
}

/** Keys that erase the text between the cursor and the target. */
const ERASURES: Readonly<Record<string, Target>> = {
  backspace: previousBoundary,
  'ctrl+h': previousBoundary,
  delete: nextBoundary,
  'ctrl+d': nextBoundary,
}

/** The same, but Ctrl-Y brings it back. */
const KILLS: Readonly<Record<string, Target>> = {
  'ctrl+w': previousBlank,
  'alt+backspace': previousWord,
  'ctrl+backspace': previousWord,
  'alt+d': nextWord,
  'ctrl+delete': nextWord,
  'ctrl+k': END,
  'ctrl+u': START,
}

/** The line after the key; null if it is none of these keys. */
export function pressInLine(line: LineEdit, chord: string): LineEdit | null {
  const move = own(MOVES, chord)
  if (move !== null) return { ...line, cursor: move(line.text, line.cursor) }
  const erase = own(ERASURES, chord)
  if (erase !== null) return cutTo(line, erase(line.text, line.cursor))
  const kill = own(KILLS, chord)
  if (kill !== null) return killTo(line, kill(line.text, line.cursor))
  return chord === 'ctrl+y' ? insertInLine(line, line.killed) : null
}

/** `text` must not have line breaks. */
export function insertInLine(line: LineEdit, text: string): LineEdit {
  const before = line.text.slice(0, line.cursor) + text
  const whole = before + line.text.slice(line.cursor)
  return { ...line, text: whole, cursor: snapToBoundary(whole, before.length) }
}

const own = (table: Readonly<Record<string, Target>>, chord: string): Target | null =>
  Object.hasOwn(table, chord) ? (table[chord] ?? null) : null

function cutTo(line: LineEdit, target: number): LineEdit {
  const from = Math.min(line.cursor, target)
  const text = line.text.slice(0, from) + line.text.slice(Math.max(line.cursor, target))
  return { ...line, text, cursor: snapToBoundary(text, from) }
}

function killTo(line: LineEdit, target: number): LineEdit {
  const killed = line.text.slice(Math.min(line.cursor, target), Math.max(line.cursor, target))
  return { ...cutTo(line, target), killed: killed === '' ? line.killed : killed }
}
