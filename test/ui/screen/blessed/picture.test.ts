import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { Picture } from '../../../../src/ui/screen/blessed/picture.ts'
import { CellTables } from '../../../../src/ui/screen/cells/cell-tables.ts'
import { makeTheme } from '../../../../src/ui/screen/make-theme.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import { wrongCells } from '../../../support/terminal/cell-looks.ts'

const SIZE = { columns: 80, rows: 30 }
const NOTHING = new Set<string>()

test('a program that prints ever new clusters and links fills no memory, and is shown exactly all the same', async () => {
  const pane = await openPane('agent', SIZE)
  const [inner, outer] = [await openEmulator(SIZE), await openEmulator(SIZE)]
  const theme = makeTheme({ depth: 'true', background: 'dark', ascii: false })
  const picture = new Picture(SIZE, theme, new Map([['agent', pane]]))
  const rect = { x: 0, y: 0, width: SIZE.columns, height: SIZE.rows }
  picture.show({
    size: SIZE,
    boxes: [{ key: 'agent', rect, border: null, body: { kind: 'pane', pane: 'agent' } }],
    cursor: null,
  })
  let made = 0
  while (made < 70_000) {
    const screen = Array.from({ length: SIZE.columns * SIZE.rows }, () => {
      made += 1
      return String.fromCodePoint(0x61, ...[0, 6, 12].map((shift) => 0x300 + ((made >> shift) & 63)))
    })
    const bytes = Buffer.from(`\x1b[H\x1b]8;;https://example.com/${made}\x1b\\${screen.join('')}`)
    pane.write(bytes)
    insidesOf(inner).writeSync(bytes)
    picture.damage('agent')
    insidesOf(outer).writeSync(Buffer.from(picture.draw(NOTHING).cells))
  }
  expect(wrongCells({ inner, outer, place: rect })).toEqual([])
})

test('tables say when they are full, and begin anew', () => {
  const tables = new CellTables()
  for (let n = 0; n <= 1 << 16; n++) tables.clusterId(`a${n}`)
  expect(tables.full).toBe(true)
  tables.clear()
  expect([tables.full, tables.cluster(tables.clusterId('é'))]).toEqual([false, 'é'])
})
