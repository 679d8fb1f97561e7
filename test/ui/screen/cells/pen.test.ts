import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { BG_FLAGS, FG_FLAGS, PALETTE_16, PALETTE_256, RGB } from '../../../../src/ui/screen/cells/cell.ts'
import { CellTables } from '../../../../src/ui/screen/cells/cell-tables.ts'
import { Pen } from '../../../../src/ui/screen/cells/pen.ts'
import { looksOf } from '../../../support/terminal/cell-looks.ts'

const { bold, underline, inverse, strike } = FG_FLAGS
const { dim, italic } = BG_FLAGS

function penFor(): { pen: Pen; tables: CellTables } {
  const tables = new CellTables()
  return { pen: new Pen(tables), tables }
}

test('only what differs is written, or all of it where that is shorter', () => {
  const { pen } = penFor()
  expect(pen.takeUp(0, 0, 0)).toBe('')
  expect(pen.takeUp(bold | PALETTE_16 | 1, 0, 0)).toBe('\x1b[1;31m')
  expect(pen.takeUp(bold | PALETTE_16 | 9, 0, 0)).toBe('\x1b[91m')
  expect(pen.takeUp(bold | PALETTE_256 | 9, 0, 0)).toBe('\x1b[38;5;9m')
  expect(pen.takeUp(bold | PALETTE_256 | 9, dim, 0)).toBe('\x1b[2m')
  expect(pen.takeUp(bold | PALETTE_256 | 9, 0, 0)).toBe('\x1b[22;1m')
  expect(pen.takeUp(strike | inverse | RGB | 0x010203, italic | PALETTE_16 | 12, 0)).toBe(
    '\x1b[0;3;7;9;38;2;1;2;3;104m',
  )
  expect(pen.takeUp(strike | inverse | RGB | 0x010203, PALETTE_16 | 12, 0)).toBe('\x1b[23m')
  expect(pen.takeUp(0, 0, 0)).toBe('\x1b[m')
})

test('underlines and links are written with all they have', () => {
  const { pen, tables } = penFor()
  const curly = tables.extraId({ underline: 3, colour: RGB | 0x0a0b0c, uri: '' })
  const link = tables.extraId({ underline: 0, colour: 0, uri: 'https://example.com/' })
  expect(pen.takeUp(underline, 0, 0)).toBe('\x1b[0;4m')
  expect(pen.takeUp(underline, 0, curly)).toBe('\x1b[4:3;58:2::10:11:12m')
  expect(pen.takeUp(underline, 0, link)).toBe('\x1b]8;;https://example.com/\x1b\\\x1b[0;4m')
  expect(pen.takeUp(0, 0, link)).toBe('\x1b[m')
  expect(pen.putDown()).toBe('\x1b]8;;\x1b\\')
  expect(pen.putDown()).toBe('')
})

const colour = fc.oneof(
  fc.constant(0),
  fc.nat(15).map((index) => PALETTE_16 | index),
  fc.nat(255).map((index) => PALETTE_256 | index),
  fc.nat(0xffffff).map((value) => RGB | value),
)
const flags = (all: Readonly<Record<string, number>>) =>
  fc.subarray(Object.values(all)).map((some) => some.reduce((word, flag) => word | flag, 0))

const look = fc.record({
  fg: fc.tuple(colour, flags(FG_FLAGS)).map(([value, some]) => value | some),
  bg: fc.tuple(colour, flags(BG_FLAGS)).map(([value, some]) => value | some),
  extra: fc.record({
    underline: fc.nat(5),
    colour,
    uri: fc.constantFrom('', 'https://example.com/a', 'file:///desk/b'),
  }),
})

test('from any look to any other, a terminal ends with the look that it would have from scratch', async () => {
  const [stepwise, fresh] = [
    await openEmulator({ columns: 40, rows: 1 }),
    await openEmulator({ columns: 40, rows: 1 }),
  ]
  fc.assert(
    fc.property(fc.array(look, { minLength: 1, maxLength: 30 }), (looks) => {
      const { pen, tables } = penFor()
      const ids = looks.map(({ extra }) => tables.extraId(extra))
      const steps = looks.map(({ fg, bg }, at) => `${pen.takeUp(fg >>> 0, bg >>> 0, ids[at] ?? 0)}x`)
      const whole = looks.map(({ fg, bg }, at) => {
        const own = new Pen(tables)
        return `\x1b[m${own.takeUp(fg >>> 0, bg >>> 0, ids[at] ?? 0)}x${own.putDown()}`
      })
      insidesOf(stepwise).writeSync(Buffer.from(`\x1bc${steps.join('')}${pen.putDown()}.`))
      insidesOf(fresh).writeSync(Buffer.from(`\x1bc${whole.join('')}.`))
      const place = { x: 0, y: 0, width: 40, height: 1 }
      expect(looksOf(stepwise, place)).toEqual(looksOf(fresh, place))
    }),
    { numRuns: 300, seed: 5 },
  )
})
