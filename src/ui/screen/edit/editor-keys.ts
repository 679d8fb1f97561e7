// The keys of the editor. Within a line they are those of the one-line field; at its ends they go on to the next line.
// Undo is readline's Ctrl-_, or Alt-Z, because Ctrl-Z suspends everywhere else.

import type { Size } from '../scene.ts'
import { applyChange, type Change, invertChange, type TextPlace } from './editor-history.ts'
import { cellOf, placeAt, rowOfPlace, stepRows, wrapLines } from './editor-rows.ts'
import { pressInLine } from './line-edit.ts'
import {
  closeStep,
  editorLineAt,
  endOfText,
  makeChange,
  replaceStretch,
  type TextEditor,
} from './text-editor.ts'

const MOVES_BACK = ['left', 'ctrl+b', 'ctrl+left', 'alt+left', 'alt+b']
const MOVES_ON = ['right', 'ctrl+f', 'ctrl+right', 'alt+right', 'alt+f']
const ERASES_BACK = ['backspace', 'ctrl+h', 'ctrl+w', 'alt+backspace', 'ctrl+backspace']
const ERASES_ON = ['delete', 'ctrl+d', 'alt+d', 'ctrl+delete', 'ctrl+k']
const GROWS = ['backspace', 'ctrl+h', 'delete', 'ctrl+d']

type Press = (editor: TextEditor, size: Size) => TextEditor

const KEYS: Readonly<Record<string, Press>> = {
  enter: (editor) => breakLine(editor),
  'alt+enter': (editor) => breakLine(editor),
  'ctrl+j': (editor) => breakLine(editor),
  up: (editor, size) => moveRows(editor, -1, size),
  'ctrl+p': (editor, size) => moveRows(editor, -1, size),
  down: (editor, size) => moveRows(editor, 1, size),
  'ctrl+n': (editor, size) => moveRows(editor, 1, size),
  page_up: (editor, size) => moveRows(editor, 1 - Math.max(2, size.rows), size),
  page_down: (editor, size) => moveRows(editor, Math.max(2, size.rows) - 1, size),
  'ctrl+home': (editor) => moveTo(editor, { line: 0, offset: 0 }),
  'alt+<': (editor) => moveTo(editor, { line: 0, offset: 0 }),
  'ctrl+end': (editor) => moveTo(editor, endOfText(editor.lines)),
  'alt+>': (editor) => moveTo(editor, endOfText(editor.lines)),
  'ctrl+y': (editor) => yank(editor),
  'ctrl+_': (editor) => undoEdit(editor),
  'ctrl+/': (editor) => undoEdit(editor),
  'alt+z': (editor) => undoEdit(editor),
  'alt+Z': (editor) => redoEdit(editor),
}

/** The editor after the key; null if it has no use for the key. */
export function pressInEditor(editor: TextEditor, chord: string, size: Size): TextEditor | null {
  const press = Object.hasOwn(KEYS, chord) ? KEYS[chord] : undefined
  return press?.(editor, size) ?? crossLines(editor, chord) ?? pressWithinLine(editor, chord)
}

/** At the start or the end of a line. */
function crossLines(editor: TextEditor, chord: string): TextEditor | null {
  const { line, offset } = editor.cursor
  const before = line > 0 && offset === 0 ? endOfText(editor.lines.slice(0, line)) : null
  const behind =
    line < editor.lines.length - 1 && offset === editorLineAt(editor, line).length
      ? { line: line + 1, offset: 0 }
      : null
  if (before !== null && MOVES_BACK.includes(chord)) return moveTo(editor, before)
  if (behind !== null && MOVES_ON.includes(chord)) return moveTo(editor, behind)
  if (before !== null && ERASES_BACK.includes(chord)) return joinLines(editor, before, editor.cursor)
  return behind !== null && ERASES_ON.includes(chord) ? joinLines(editor, editor.cursor, behind) : null
}

function pressWithinLine(editor: TextEditor, chord: string): TextEditor | null {
  const { line, offset } = editor.cursor
  const text = editorLineAt(editor, line)
  const after = pressInLine({ text, cursor: offset, killed: editor.killed }, chord)
  if (after === null) return null
  const cursor = { line, offset: after.cursor }
  if (after.text === text) return moveTo(editor, cursor)
  const kind = GROWS.includes(chord) ? 'erase' : 'other'
  const change: Change = {
    kind,
    at: line,
    removed: [text],
    inserted: [after.text],
    before: editor.cursor,
    after: cursor,
  }
  return { ...makeChange(editor, change), killed: after.killed }
}

const moveTo = (editor: TextEditor, cursor: TextPlace): TextEditor =>
  closeStep({ ...editor, cursor, goal: null })

const joinLines = (editor: TextEditor, from: TextPlace, to: TextPlace): TextEditor =>
  replaceStretch(editor, { from, to }, { text: '', kind: 'other' })

const breakLine = (editor: TextEditor): TextEditor =>
  replaceStretch(editor, { from: editor.cursor, to: editor.cursor }, { text: '\n', kind: 'other' })

const yank = (editor: TextEditor): TextEditor =>
  replaceStretch(editor, { from: editor.cursor, to: editor.cursor }, { text: editor.killed, kind: 'other' })

/** Up from the first row goes to the start of the text; down from the last row goes to its end. */
function moveRows(editor: TextEditor, by: number, size: Size): TextEditor {
  const text = wrapLines(editor.lines, size)
  const from = rowOfPlace(text, editor.cursor)
  const to = stepRows(text, from, by)
  if (to.line === from.line && to.row === from.row) {
    return moveTo(editor, by < 0 ? { line: 0, offset: 0 } : endOfText(editor.lines))
  }
  const goal = editor.goal ?? cellOf(text, editor.cursor)
  return { ...closeStep(editor), cursor: placeAt(text, to, goal), goal }
}

function undoEdit(editor: TextEditor): TextEditor {
  const { past, future } = editor.history
  const change = past.at(-1)
  if (change === undefined) return editor
  return applyStep(editor, invertChange(change), { past: past.slice(0, -1), future: [...future, change] })
}

function redoEdit(editor: TextEditor): TextEditor {
  const { past, future } = editor.history
  const change = future.at(-1)
  if (change === undefined) return editor
  return applyStep(editor, change, { past: [...past, change], future: future.slice(0, -1) })
}

const applyStep = (
  editor: TextEditor,
  change: Change,
  history: Pick<TextEditor['history'], 'past' | 'future'>,
): TextEditor => ({
  ...editor,
  lines: applyChange(editor.lines, change),
  cursor: change.after,
  goal: null,
  history: { ...history, open: false },
})
