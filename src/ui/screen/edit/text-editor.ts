// The editor of several lines in which prompts are written: its text, its cursor, and how both change.

import { snapToBoundary } from '../../text/clusters.ts'
import {
  applyChange,
  type Change,
  type EditorHistory,
  NO_HISTORY,
  noteChange,
  type TextPlace,
} from './editor-history.ts'
import type { EditorRowPlace } from './editor-rows.ts'
import { cleanText } from './typed-text.ts'

export interface TextEditor {
  /** At least one; none holds a line break. */
  readonly lines: readonly string[]
  readonly cursor: TextPlace
  /** The cell that moving up and down tries to keep; null after any other key. */
  readonly goal: number | null
  /** The first row in view. */
  readonly top: EditorRowPlace
  readonly killed: string
  readonly history: EditorHistory
}

export const openTextEditor = (text = ''): TextEditor => {
  const lines = cleanText(text).split('\n')
  const last = lines.length - 1
  return {
    lines,
    cursor: { line: last, offset: lines[last]?.length ?? 0 },
    goal: null,
    top: { line: 0, row: 0 },
    killed: '',
    history: NO_HISTORY,
  }
}

export const editedText = (editor: TextEditor): string => editor.lines.join('\n')
export const isEmpty = ({ lines }: TextEditor): boolean => lines.length === 1 && lines[0] === ''
/** Nothing but white space. */
export const isBlank = (editor: TextEditor): boolean => editor.lines.every((line) => line.trim() === '')

/** Replaces everything in one step of undo, and puts the cursor at the end. */
export function replaceText(editor: TextEditor, text: string): TextEditor {
  const whole = { from: { line: 0, offset: 0 }, to: endOfText(editor.lines) }
  return replaceStretch(editor, whole, { text: cleanText(text), kind: 'other' })
}

export interface Stretch {
  readonly from: TextPlace
  readonly to: TextPlace
}

/** Replaces the text between two places, and puts the cursor after it. */
export function replaceStretch(
  editor: TextEditor,
  { from, to }: Stretch,
  { text, kind }: { readonly text: string; readonly kind: Change['kind'] },
): TextEditor {
  const tail = editorLineAt(editor, to.line).slice(to.offset)
  const inserted = `${editorLineAt(editor, from.line).slice(0, from.offset)}${text}${tail}`.split('\n')
  const last = inserted.at(-1) ?? ''
  const change: Change = {
    kind,
    at: from.line,
    removed: editor.lines.slice(from.line, to.line + 1),
    inserted,
    before: editor.cursor,
    after: {
      line: from.line + inserted.length - 1,
      offset: snapToBoundary(last, last.length - tail.length),
    },
  }
  return makeChange(editor, change)
}

export const makeChange = (editor: TextEditor, change: Change): TextEditor => ({
  ...editor,
  lines: applyChange(editor.lines, change),
  cursor: change.after,
  goal: null,
  history: noteChange(editor.history, change),
})

/** What is typed after this is a step of undo of its own. */
export const closeStep = (editor: TextEditor): TextEditor =>
  editor.history.open ? { ...editor, history: { ...editor.history, open: false } } : editor

export const editorLineAt = (editor: TextEditor, line: number): string => editor.lines[line] ?? ''

export function endOfText(lines: readonly string[]): TextPlace {
  const line = lines.length - 1
  return { line, offset: lines[line]?.length ?? 0 }
}
