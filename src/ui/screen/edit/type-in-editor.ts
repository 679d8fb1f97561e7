// What a key, a paste or a click does to an editor.

import type { InputEvent } from '../input/input-event.ts'
import type { Point, Size } from '../scene.ts'
import { pressInEditor } from './editor-keys.ts'
import { followCursor, placeAt, stepRows, wrapLines } from './editor-rows.ts'
import { closeStep, replaceStretch, type TextEditor } from './text-editor.ts'
import { cleanText, editingChord, typedText } from './typed-text.ts'

/** The editor after the event, as shown at `size`; null if it has no use for the event. Enter breaks the line. */
export function typeInEditor(editor: TextEditor, event: InputEvent, size: Size): TextEditor | null {
  const typed = typedText(event)
  if (typed !== null) return showCursor(insert(editor, cleanText(typed)), size)
  const chord = editingChord(event)
  const after = chord === null ? null : pressInEditor(editor, chord, size)
  return after === null ? null : showCursor(after, size)
}

/** `point` is counted from the editor's upper left corner. */
export function clickInEditor(editor: TextEditor, point: Point, size: Size): TextEditor {
  const text = wrapLines(editor.lines, size)
  const top = followCursor(text, { top: editor.top, height: size.rows }, editor.cursor)
  return closeStep({
    ...editor,
    top,
    cursor: placeAt(text, stepRows(text, top, point.y), point.x),
    goal: null,
  })
}

/** A blank begins a new step, so that undo takes back one word at a time. */
function insert(editor: TextEditor, text: string): TextEditor {
  if (text === '') return editor
  const ready = text === ' ' ? closeStep(editor) : editor
  const kind = text.length <= 2 ? 'type' : 'other'
  return replaceStretch(ready, { from: editor.cursor, to: editor.cursor }, { text, kind })
}

function showCursor(editor: TextEditor, size: Size): TextEditor {
  const view = { top: editor.top, height: size.rows }
  return { ...editor, top: followCursor(wrapLines(editor.lines, size), view, editor.cursor) }
}
