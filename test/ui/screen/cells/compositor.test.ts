import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { BLANK, CELL_WORDS, CLUSTER, fillBlank, WIDTH_SHIFT } from '../../../../src/ui/screen/cells/cell.ts'
import { CellTables } from '../../../../src/ui/screen/cells/cell-tables.ts'
import { Compositor } from '../../../../src/ui/screen/cells/compositor.ts'

const COLUMNS = 6
const FRAME = 0x2502

test.each([
  ['an accent', '\u0301', ' \u0301'],
  ['several', '\u0301\u0302\u0303', ' \u0301\u0302\u0303'],
  ['a variation selector', '\ufe0f', ' '],
  ['a joiner', '\u200d', ' '],
  ['a joiner and an accent', '\u200d\u0301', ' \u0301'],
  ['a Thai vowel', '\u0e34', ' \u0e34'],
  // Terminals do not agree whether it takes a cell, but it is drawn so that none joins it to the frame.
  ['the later part of a Korean syllable', '\u1161', ' '],
])('a cell that holds only a mark leaves the frame beside it alone: %s', async (_, mark, drawn) => {
  const tables = new CellTables()
  const grid = new Uint32Array(COLUMNS * CELL_WORDS)
  fillBlank(grid, 0, COLUMNS)
  grid[0] = (1 << WIDTH_SHIFT) | FRAME
  const code = mark.length === 1 ? mark.charCodeAt(0) : CLUSTER | tables.clusterId(mark)
  grid[CELL_WORDS] = (1 << WIDTH_SHIFT) | code
  grid[2 * CELL_WORDS] = BLANK - 0x20 + 0x61
  const compositor = new Compositor({ columns: COLUMNS, rows: 1 }, tables)
  compositor.clear()
  compositor.drawRow({ y: 0, from: 0, to: COLUMNS }, grid)
  const outer = await openEmulator({ columns: COLUMNS, rows: 1 })
  insidesOf(outer).writeSync(Buffer.from(compositor.take()))
  const line = outer.buffer.active.getLine(0)
  expect([0, 1, 2].map((x) => line?.getCell(x)?.getChars())).toEqual(['│', drawn, 'a'])
})
