// Whether two boxes would look alike. A view makes all its boxes anew each time, and most are as before: such a box
// keeps its cells, and its rows of the screen are not looked at.

import type { Line, Span } from '../../text/line.ts'
import type { Body, Border, Rect, Row, SceneBox } from '../scene.ts'

export const sameBox = (a: SceneBox, b: SceneBox): boolean =>
  a === b || (sameRect(a.rect, b.rect) && sameBorder(a.border, b.border) && sameBody(a.body, b.body))

/** The rows that differ, if nothing else does; null if more than rows differ. */
export function differingRows(a: SceneBox, b: SceneBox): readonly number[] | null {
  if (!sameRect(a.rect, b.rect) || !sameBorder(a.border, b.border)) return null
  if (a.body.kind !== 'rows' || b.body.kind !== 'rows') return null
  const [before, after] = [a.body.rows, b.body.rows]
  if (before.length !== after.length) return null
  return after.flatMap((row, index) => (sameRow(before[index] ?? row, row) ? [] : [index]))
}

export const sameRect = (a: Rect, b: Rect): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height

function sameBorder(a: Border | null, b: Border | null): boolean {
  if (a === null || b === null) return a === b
  return (
    a.focused === b.focused &&
    a.joinsAbove === b.joinsAbove &&
    sameLine(a.title, b.title) &&
    sameLine(a.note ?? '', b.note ?? '')
  )
}

function sameBody(a: Body, b: Body): boolean {
  if (a.kind === 'pane') return b.kind === 'pane' && a.pane === b.pane
  return b.kind === 'rows' && sameList(a.rows, b.rows, sameRow)
}

const sameRow = (a: Row, b: Row): boolean => a === b || (a.bar === b.bar && sameLine(a.line, b.line))

function sameLine(a: Line, b: Line): boolean {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string') return false
  if ('text' in a || 'text' in b) return 'text' in a && 'text' in b && sameSpan(a, b)
  return sameList(a, b, sameSpan)
}

function sameSpan(a: Span, b: Span): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return a.text === b.text && a.as === b.as
}

const sameList = <T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every((one, index) => {
      const other = b[index]
      return other !== undefined && same(one, other)
    }))
