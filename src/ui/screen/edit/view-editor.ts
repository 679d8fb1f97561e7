// The visible rows of an editor, and where its cursor is.

import { type Line, span } from '../../text/line.ts'
import type { Point, Size } from '../scene.ts'
import { showCells } from './cells.ts'
import { cellOf, followCursor, rowOfPlace, rowsBetween, rowText, stepRows, wrapLines } from './editor-rows.ts'
import { isEmpty, type TextEditor } from './text-editor.ts'

export interface EditorView {
  /** At most as many as the size has rows. */
  readonly lines: readonly Line[]
  /** From the editor's upper left corner. */
  readonly cursor: Point
  /** Whether there is more of the text above, and below. */
  readonly above: boolean
  readonly below: boolean
}

export interface EditorLook {
  readonly ascii: boolean
  /** Shown dim while nothing is typed. */
  readonly placeholder?: string
}

export function viewEditor(editor: TextEditor, size: Size, look: EditorLook): EditorView {
  const text = wrapLines(editor.lines, size)
  const top = followCursor(text, { top: editor.top, height: size.rows }, editor.cursor)
  const lines: Line[] = []
  let row = top
  let below = true
  while (lines.length < size.rows) {
    lines.push(showCells(rowText(text, row), look.ascii))
    const next = stepRows(text, row, 1)
    below = next.line !== row.line || next.row !== row.row
    if (!below) break
    row = next
  }
  const cursor = {
    x: cellOf(text, editor.cursor),
    y: Math.max(0, rowsBetween(text, [top, rowOfPlace(text, editor.cursor)], size.rows)),
  }
  return { lines: withPlaceholder(editor, lines, look), cursor, above: top.line > 0 || top.row > 0, below }
}

const withPlaceholder = (
  editor: TextEditor,
  lines: readonly Line[],
  { placeholder }: EditorLook,
): readonly Line[] => (placeholder !== undefined && isEmpty(editor) ? [span(placeholder, 'dim')] : lines)
