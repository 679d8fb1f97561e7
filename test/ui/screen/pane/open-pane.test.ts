import { expect, test } from 'vitest'
import { CELL_WORDS, FG, FG_FLAGS } from '../../../../src/ui/screen/cells/cell.ts'
import { CellTables } from '../../../../src/ui/screen/cells/cell-tables.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import type { Pane } from '../../../../src/ui/screen/pane/pane.ts'

const SIZE = { columns: 20, rows: 5 }

const open = (): Promise<Pane> => openPane('20250101000000-abcd', SIZE)
const write = (pane: Pane, text: string): void => pane.write(Buffer.from(text))

function rowOf(pane: Pane, row: number): Uint32Array {
  const words = new Uint32Array(SIZE.columns * CELL_WORDS)
  pane.view.copyCells({ row, column: 0, count: SIZE.columns }, { words, at: 0, tables: new CellTables() })
  return words
}

/** Only for cells that hold one code point each. */
const textOf = (pane: Pane, row: number): string =>
  Array.from({ length: SIZE.columns }, (_, x) =>
    String.fromCodePoint((rowOf(pane, row)[x * CELL_WORDS] ?? 0) & 0x1fffff),
  )
    .join('')
    .trimEnd()

const invertedOf = (pane: Pane, row: number): string =>
  Array.from({ length: SIZE.columns }, (_, x) =>
    ((rowOf(pane, row)[x * CELL_WORDS + FG] ?? 0) & FG_FLAGS.inverse) === 0 ? '.' : 'x',
  ).join('')

test('what is written is there when write returns', async () => {
  const pane = await open()
  write(pane, 'hello\r\n')
  pane.write(Buffer.from('wörld').subarray(0, 2))
  pane.write(Buffer.from('wörld').subarray(2))
  expect([textOf(pane, 0), textOf(pane, 1), textOf(pane, 2)]).toEqual(['hello', 'wörld', ''])
  expect(pane.view.cursor).toEqual({ x: 5, y: 1, shape: 0 })
})

test('the modes of the program are told, the kitty keyboard for each screen by itself', async () => {
  const pane = await open()
  expect(pane.modes).toEqual({
    application_cursor: false,
    application_keypad: false,
    bracketed_paste: false,
    focus_reports: false,
    mouse: 'none',
    mouse_encoding: 'default',
    kitty_flags: 0,
    modify_other_keys: 0,
    alternate_screen: false,
  })
  write(pane, '\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?1003h\x1b[?1006h\x1b[>5u\x1b[=2;2u\x1b[>4;2m')
  expect(pane.modes).toEqual({
    application_cursor: true,
    application_keypad: true,
    bracketed_paste: true,
    focus_reports: true,
    mouse: 'any',
    mouse_encoding: 'sgr',
    kitty_flags: 7,
    modify_other_keys: 2,
    alternate_screen: false,
  })
  write(pane, '\x1b[?1049h\x1b[>1u')
  expect(pane.modes).toMatchObject({ alternate_screen: true, kitty_flags: 1 })
  write(pane, '\x1b[?1049l\x1b[<u')
  expect(pane.modes).toMatchObject({ alternate_screen: false, kitty_flags: 0 })
})

test('the title is made safe to show, and is no longer than one can read', async () => {
  const pane = await open()
  write(pane, '\x1b]2;fix \u202ethe tests\x07')
  expect(pane.title).toBe('fix \\u202ethe tests')
  write(pane, `\x1b]0;${'long '.repeat(1000)}\x1b\\`)
  expect(pane.title.length).toBeLessThanOrEqual(200)
})

test('a reset forgets everything, also what had begun', async () => {
  const pane = await open()
  write(pane, '\x1b[?2004h\x1b[>5u\x1b]2;title\x07\x1b[31mone\r\n\n\n\n\n\n\x1b]0;unfinished')
  pane.reset()
  write(pane, 'new')
  expect([textOf(pane, 0), pane.title, pane.scrolled]).toEqual(['new', '', 0])
  expect(rowOf(pane, 0)[FG]).toBe(0)
  expect(pane.modes).toMatchObject({ bracketed_paste: false, kitty_flags: 0 })
  pane.scroll(10)
  expect(pane.scrolled).toBe(0)
})

test('scrolling shows the history, and stays there while more is printed', async () => {
  const pane = await open()
  write(pane, Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\r\n'))
  pane.scroll(10)
  expect([pane.scrolled, textOf(pane, 0)]).toEqual([10, 'line 15'])
  write(pane, '\r\nline 30')
  expect([pane.scrolled, textOf(pane, 0)]).toEqual([11, 'line 15'])
  pane.scroll(-100)
  expect([pane.scrolled, textOf(pane, 4)]).toEqual([0, 'line 30'])
  pane.scroll(1000)
  expect(textOf(pane, 0)).toBe('line 0')
  expect(pane.view.cursor).toBeNull()
  pane.scrollToEnd()
  expect(pane.view.cursor).toEqual({ x: 7, y: 4, shape: 0 })
})

test('the history ends somewhere', async () => {
  const pane = await open()
  write(pane, 'x\r\n'.repeat(5000))
  pane.scroll(1e6)
  expect(pane.scrolled).toBe(2000)
})

test('the cursor is hidden, shaped and held at the edge as its program has it', async () => {
  const pane = await open()
  write(pane, 'y'.repeat(20))
  expect(pane.view.cursor).toEqual({ x: 19, y: 0, shape: 0 })
  write(pane, '\x1b[5 q')
  expect(pane.view.cursor?.shape).toBe(5)
  write(pane, '\x1b[4 q')
  expect(pane.view.cursor?.shape).toBe(4)
  write(pane, '\x1b[?25l')
  expect(pane.view.cursor).toBeNull()
})

test('a selection is shown inverted and read as a person would paste it', async () => {
  const pane = await open()
  write(pane, 'first line  \r\n漢字 wide and wrapped text\r\nlast')
  pane.select({ from: { x: 6, y: 0 }, to: { x: 1, y: 3 } })
  expect(pane.selectedText()).toBe('line\n漢字 wide and wrapped text\nla')
  expect([invertedOf(pane, 0), invertedOf(pane, 1), invertedOf(pane, 3)]).toEqual([
    `......${'x'.repeat(14)}`,
    'x'.repeat(20),
    `xx${'.'.repeat(18)}`,
  ])
  pane.select({ from: { x: 3, y: 1 }, to: { x: 0, y: 1 } })
  expect(pane.selectedText()).toBe('漢字')
  pane.select(null)
  expect([pane.selectedText(), invertedOf(pane, 1)]).toEqual(['', '.'.repeat(20)])
})

test('a selection moves with its text, and is dropped when that is gone', async () => {
  const pane = await open()
  write(pane, 'keep this\r\n')
  pane.select({ from: { x: 0, y: 0 }, to: { x: 3, y: 0 } })
  write(pane, 'more\r\n'.repeat(10))
  expect(pane.selectedText()).toBe('keep')
  expect(invertedOf(pane, 0)).toBe('.'.repeat(20))
  write(pane, 'more\r\n'.repeat(3000))
  expect(pane.selectedText()).toBe('')
})

test('selections outside of the pane are of what is inside', async () => {
  const pane = await open()
  write(pane, 'abc')
  pane.select({ from: { x: -5, y: -5 }, to: { x: 500, y: 500 } })
  expect(pane.selectedText()).toBe('abc\n\n\n\n')
})

test('a text is found from the newest to the oldest and back, across wrapped lines and wide characters', async () => {
  const pane = await open()
  write(pane, 'Needle one\r\n漢字漢字漢字 a nee')
  write(pane, 'dle wrapped\r\n')
  write(pane, 'x\r\n'.repeat(30))
  write(pane, 'needle last')
  expect(pane.find('needle', 'older')).toEqual({ at: 1, of: 3 })
  expect([pane.selectedText(), pane.scrolled]).toEqual(['needle', 0])
  expect(pane.find('needle', 'older')).toEqual({ at: 2, of: 3 })
  expect(pane.selectedText()).toBe('needle')
  expect(pane.scrolled).toBeGreaterThan(20)
  expect(pane.find('needle', 'older')).toEqual({ at: 3, of: 3 })
  expect(pane.selectedText()).toBe('Needle')
  expect(pane.find('needle', 'older')).toEqual({ at: 3, of: 3 })
  expect(pane.find('needle', 'newer')).toEqual({ at: 2, of: 3 })
  expect(pane.find('Needle', 'newer')).toEqual({ at: 1, of: 1 })
  expect(pane.find('nowhere', 'older')).toBeNull()
  expect(pane.find('', 'older')).toBeNull()
  expect(pane.selectedText()).toBe('')
})

const EARLY: Readonly<Record<string, readonly [written: string, copied: string, sought: string]>> = {
  'wide characters': [`x${'漢'.repeat(12)}`, `x${'漢'.repeat(12)}`, '漢漢漢漢漢漢漢漢漢漢'],
  'a wide character among narrow ones': [`${'y'.repeat(18)}z漢w`, `${'y'.repeat(18)}z漢w`, 'z漢w'],
  'a heart that becomes wide': [`${'y'.repeat(18)}z❤\ufe0fw`, `${'y'.repeat(18)}z❤\ufe0fw`, 'yz❤\ufe0f'],
  'a cluster of several people': [`${'y'.repeat(18)}z👩‍👩‍👧w`, `${'y'.repeat(18)}z👩‍👩‍👧w`, 'z👩‍👩‍👧w'],
  'blanks that were written': [`${'y'.repeat(18)}z z`, `${'y'.repeat(18)}z z`, 'z z'],
  'a tab': ['\t\t\tzab', `${' '.repeat(19)}zab`, 'zab'],
  'a cursor jump': ['left\x1b[20Gzab', `left${' '.repeat(15)}zab`, 'zab'],
  'an erased cell': [`${'y'.repeat(20)}zab\x1b[A\x1b[20G\x1b[X\x1b[B`, `${'y'.repeat(19)} zab`, ' zab'],
}

test.each(Object.entries(EARLY))(
  'what has wrapped at %s is copied and found as one line',
  async (_, [text, copied, sought]) => {
    const pane = await open()
    write(pane, text)
    for (const columns of [SIZE.columns, 60]) {
      pane.resize({ columns, rows: SIZE.rows })
      write(pane, '\x1b[5;1H')
      pane.select({ from: { x: 0, y: 0 }, to: { x: columns - 1, y: SIZE.rows - 1 } })
      expect(pane.selectedText().trimEnd()).toBe(copied)
      expect(pane.find(sought, 'older')).toEqual({ at: 1, of: expect.any(Number) })
      expect(pane.selectedText()).toBe(sought)
    }
  },
)

test('who listens is told of each write until they leave', async () => {
  const pane = await open()
  let told = 0
  const leave = pane.onChange(() => {
    told += 1
  })
  write(pane, 'x')
  expect(told).toBe(1)
  leave()
  write(pane, 'x')
  expect(told).toBe(1)
})

test('each complete frame of a program is told before the next begins', async () => {
  const pane = await open()
  const seen: (readonly [boolean, string])[] = []
  pane.onChange(() => seen.push([pane.view.midFrame, textOf(pane, 0)]))
  write(pane, '\x1b[?2026hone\x1b[?2026l\x1b[?2026h\rtwo\x1b[?2026l\x1b[?2026h\rthr')
  expect(seen).toEqual([
    [false, 'one'],
    [false, 'two'],
    [true, 'thr'],
  ])
})

test('a resize keeps the text and tells so', async () => {
  const pane = await open()
  write(pane, 'wrapped at the twentieth column\r\n')
  let told = 0
  pane.onChange(() => {
    told += 1
  })
  pane.resize({ columns: 40, rows: 3 })
  expect([pane.size, told]).toEqual([{ columns: 40, rows: 3 }, 1])
  pane.select({ from: { x: 0, y: 0 }, to: { x: 39, y: 0 } })
  expect(pane.selectedText()).toBe('wrapped at the twentieth column')
  pane.resize({ columns: 0, rows: 0 })
  expect(pane.size.columns).toBeGreaterThan(0)
})

test('cells that are asked for outside of the pane are blank', async () => {
  const pane = await open()
  write(pane, 'abc')
  for (const span of [
    { row: -1, column: 0, count: 4 },
    { row: 99, column: 0, count: 4 },
    { row: 0, column: -2, count: 4 },
    { row: 0, column: 30, count: 4 },
  ]) {
    const words = new Uint32Array(4 * CELL_WORDS)
    pane.view.copyCells(span, { words, at: 0, tables: new CellTables() })
    expect([...words.filter((_, at) => at % CELL_WORDS === 0)].map((word) => word & 0x1fffff)).toEqual([
      32, 32, 32, 32,
    ])
  }
})
