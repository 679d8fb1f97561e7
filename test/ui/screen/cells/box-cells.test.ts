import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoxCells } from '../../../../src/ui/screen/cells/box-cells.ts'
import { CELL_WORDS } from '../../../../src/ui/screen/cells/cell.ts'
import { CellTables } from '../../../../src/ui/screen/cells/cell-tables.ts'
import { CellTheme } from '../../../../src/ui/screen/cells/cell-theme.ts'
import { differingRows } from '../../../../src/ui/screen/cells/same-box.ts'
import { makeTheme } from '../../../../src/ui/screen/make-theme.ts'
import type { Bar, Rect, Row, SceneBox } from '../../../../src/ui/screen/scene.ts'
import { span } from '../../../../src/ui/text/line.ts'

const palette = new CellTheme(makeTheme({ depth: 'true', background: 'dark', ascii: false }))
const RECT: Rect = { x: 3, y: 2, width: 12, height: 6 }

const row: fc.Arbitrary<Row> = fc
  .tuple(
    fc.constantFrom('', 'short', 'as wide as it is long', '中文字中文字中文字', 'e\u0301 ✻'),
    fc.option(fc.constantFrom<Bar>('selected', 'unfocused', 'added'), { nil: undefined }),
  )
  .map(([text, bar]) => ({ line: [text, span('!', 'failed')], ...(bar === undefined ? {} : { bar }) }))

function boxOf(rows: readonly Row[], bordered: boolean): SceneBox {
  const border = bordered ? { title: 'title', focused: false } : null
  return { key: 'box', rect: RECT, border, body: { kind: 'rows', rows } }
}

function cellsOf(cells: BoxCells, tables: CellTables): readonly Uint32Array[] {
  return Array.from({ length: RECT.height }, (_, y) => {
    const words = new Uint32Array(RECT.width * CELL_WORDS)
    cells.copyCells({ row: y, column: 0, count: RECT.width }, { words, at: 0, tables })
    return words
  })
}

test('rows that are replaced leave a box as if it were painted anew', () => {
  const rows = fc.array(row, { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(rows, rows, fc.boolean(), (before, after, bordered) => {
      const tables = new CellTables()
      const box = boxOf(after, bordered)
      const replaced = new BoxCells(boxOf(before, bordered), palette, tables)
      for (const index of differingRows(boxOf(before, bordered), box) ?? []) replaced.replaceRow(box, index)
      expect(cellsOf(replaced, tables)).toEqual(cellsOf(new BoxCells(box, palette, tables), tables))
    }),
  )
})

test('a row is replaced alone only where nothing else differs', () => {
  const rows: Row[] = [{ line: 'a' }, { line: 'b' }]
  const changed: Row[] = [{ line: 'a' }, { line: 'c' }]
  expect(differingRows(boxOf(rows, true), boxOf(changed, true))).toEqual([1])
  expect(differingRows(boxOf(rows, true), boxOf(rows, true))).toEqual([])
  expect(differingRows(boxOf(rows, true), boxOf(changed, false))).toBeNull()
  expect(differingRows(boxOf(rows, true), boxOf(rows.slice(1), true))).toBeNull()
})
