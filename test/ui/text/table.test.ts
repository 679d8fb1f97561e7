import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, renderLine, span } from '../../../src/ui/text/line.ts'
import { type Column, formatTable } from '../../../src/ui/text/table.ts'
import { choosePaint, paintNothing } from '../../../src/ui/text/theme.ts'
import { elide, sliceCells, widthOf } from '../../../src/ui/text/width.ts'

const shown = (lines: readonly Line[]): string[] => lines.map((line) => renderLine(line, paintNothing))

const COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'PATH', shrink: 'middle' },
  { title: 'N', align: 'right' },
  { title: 'PROMPT', shrink: 'end' },
]

test('columns line up, numbers at the right', () => {
  const rows = [
    ['b7c9', 'src/a.ts', '3', 'Fix it'],
    ['c2d8', 'src/longer/b.ts', '120', 'No'],
  ]
  expect(shown(formatTable(COLUMNS, rows, 100))).toEqual([
    'ID    PATH               N  PROMPT',
    'b7c9  src/a.ts           3  Fix it',
    'c2d8  src/longer/b.ts  120  No',
  ])
})

test('a column without content is left out', () => {
  expect(shown(formatTable(COLUMNS, [['b7c9', '', '', 'x']], 100))).toEqual(['ID    PROMPT', 'b7c9  x'])
})

test('wide characters take two cells', () => {
  const rows = [
    ['世界', 'x'],
    ['abcd', 'y'],
  ]
  expect(shown(formatTable([{ title: 'A' }, { title: 'B' }], rows, 100))).toEqual([
    'A     B',
    '世界  x',
    'abcd  y',
  ])
})

test('no line is wider than the terminal while columns can still give way', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { minLength: 1 }),
      (cells) => {
        const rows = cells.map(([path, prompt]) => ['b7c9', path, '12', prompt])
        const lines = shown(formatTable(COLUMNS, rows, 40))
        return lines.every((line) => widthOf(line) <= 40)
      },
    ),
  )
})

test('a shortened text never takes more cells than it was given', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.nat(30),
      fc.constantFrom('end', 'middle'),
      (text, width, where) => {
        return widthOf(elide(text, width, where as 'end')) <= Math.max(width, 0)
      },
    ),
  )
})

test('paths keep their beginning and their end', () => {
  expect(elide('src/core/operations/land.ts', 15, 'middle')).toBe('src/cor…land.ts')
  expect(elide('short', 15, 'middle')).toBe('short')
})

test('colour goes by --no-color, then FORCE_COLOR, then NO_COLOR, then the terminal', () => {
  const painted = (env: NodeJS.ProcessEnv, isTTY: boolean, refused = false): boolean =>
    renderLine(span('x', 'ready'), choosePaint({ env, isTTY, refused })) !== 'x'
  expect(painted({}, true)).toBe(true)
  expect(painted({}, false)).toBe(false)
  expect(painted({ NO_COLOR: '1' }, true)).toBe(false)
  expect(painted({ NO_COLOR: '' }, true)).toBe(true)
  expect(painted({ FORCE_COLOR: '1' }, false)).toBe(true)
  expect(painted({ FORCE_COLOR: '0' }, true)).toBe(false)
  expect(painted({ FORCE_COLOR: '1' }, true, true)).toBe(false)
  expect(painted({ TERM: 'dumb' }, true)).toBe(false)
})

test('a slice by cells leaves a blank for the half of a character that it cuts', () => {
  expect(sliceCells('plain text', 2, 4)).toBe('ain ')
  expect(sliceCells('世界ok', 0, 3)).toBe('世')
  expect(sliceCells('世界ok', 1, 4)).toBe(' 界o')
  expect(sliceCells('e\u0301e\u0301x', 1, 1)).toBe('e\u0301')
  expect(sliceCells('世', 5, 4)).toBe('')
})
