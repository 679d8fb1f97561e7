// Where the emulator of the host and of the panes does what terminals do, although xterm's does something else.

import { expect, test } from 'vitest'
import { openEmulator } from '../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../src/core/emulator/xterm-insides.ts'

const SIZE = { columns: 20, rows: 6 }

async function open(text: string) {
  const terminal = await openEmulator(SIZE, { scrollback: 100 })
  const insides = insidesOf(terminal)
  const write = (more: string): void => insides.writeSync(Buffer.from(more))
  write(text)
  const cell = (x: number, y = 0) =>
    terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.getCell(x)
  const row = (y: number): string =>
    terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true) ?? ''
  return { terminal, insides, write, cell, row }
}

const MAGENTA = 0xff00ff

test.each([
  ['without a colour space', '\x1b[38:2:255:0:255m', MAGENTA],
  ['with an empty colour space', '\x1b[38:2::255:0:255m', MAGENTA],
  ['with a colour space', '\x1b[38:2:1:255:0:255m', MAGENTA],
  ['with semicolons', '\x1b[38;2;255;0;255m', MAGENTA],
  ['among others', '\x1b[1;38:2:255:0:255;4m', MAGENTA],
  ['twice', '\x1b[38:2:1:2:3;38:2:255:0:255m', MAGENTA],
  ['with parts left out', '\x1b[38:2:255::255m', MAGENTA],
])('a letter gets the colour that is meant: %s', async (_, sequence, colour) => {
  const { cell } = await open(`${sequence}x`)
  expect([cell(0)?.isFgRGB(), cell(0)?.getFgColor(), cell(0)?.isBgDefault()]).toEqual([true, colour, true])
})

test('grounds and underlines get the colour that is meant, and what is set beside them', async () => {
  const { cell, insides } = await open('\x1b[4;48:2:255:0:255;3mx\x1b[0;4;58:2:255:0:255my\x1b[0;48:5:9mz')
  expect([cell(0)?.isBgRGB(), cell(0)?.getBgColor(), cell(0)?.isItalic() !== 0]).toEqual([
    true,
    MAGENTA,
    true,
  ])
  const extras = insides.buffers.active.lines.get(0)?._extendedAttrs[1]
  expect((extras?._ext ?? 0) & 0x3ffffff).toBe(0x3000000 | MAGENTA)
  expect([cell(2)?.isBgPalette(), cell(2)?.getBgColor()]).toEqual([true, 9])
})

test('a full reset shows the cursor again, and ends what else would outlive it', async () => {
  const { insides, write } = await open('\x1b[?25l\x1b[20h\x1b[?12h\x1b[?1002h\x1b[4h\x1b[?1049h\x1bc')
  expect(insides.coreService.isCursorHidden).toBe(false)
  expect(insides.optionsService.options).toMatchObject({ convertEol: false, cursorBlink: false })
  expect(insides.coreMouseService.activeProtocol).toBe('NONE')
  write('\x1b[?25l')
  expect(insides.coreService.isCursorHidden).toBe(true)
})

test.each([
  ['a change of look', 'e\x1b[m\u0301', 'e\u0301'],
  ['a colour', 'e\x1b[38:2:1:2:3m\u0301', 'e\u0301'],
  ['a cursor jump', 'xe\x1b[1;3H\u0301', 'xe\u0301'],
  ['a title', 'e\x1b]0;title\x07\u0301', 'e\u0301'],
  ['a mode', 'e\x1b[?25l\u0301', 'e\u0301'],
  ['a question', 'e\x1b[6n\u0301', 'e\u0301'],
  ['a wide character and a sequence', '漢\x1b[m\u0301', '漢\u0301'],
  ['a mark and a sequence', 'e\u0301\x1b[m\u0302', 'e\u0301\u0302'],
  ['the last column', `${'x'.repeat(19)}e\x1b[m\u0301`, `${'x'.repeat(19)}e\u0301`],
  ['a Thai consonant and a sequence', 'ก\x1b[m\u0e34', 'ก\u0e34'],
  ['a heart and a sequence', '❤\x1b[m\ufe0f', '❤\ufe0f'],
])('a mark joins the character before it, also after %s', async (_, text, row) => {
  const { row: rowAt } = await open(text)
  expect(rowAt(0)).toBe(row)
})

test('a mark without a character before it has a cell of its own, and letters never join', async () => {
  const { cell, row } = await open('\u0301a\x1b[mb\x1b[2;5H\u0301\x1b[3;1H👍\x1b[m🏽\x1b[4;1H🇩\x1b[m🇪')
  expect([cell(0)?.getChars(), cell(1)?.getChars(), cell(2)?.getChars()]).toEqual(['\u0301', 'a', 'b'])
  expect(cell(4, 1)?.getChars()).toBe('\u0301')
  expect([cell(0, 2)?.getChars(), cell(2, 2)?.getChars()]).toEqual(['👍', '🏽'])
  expect(row(3)).toBe('🇩🇪')
  expect(cell(0, 3)?.getChars()).toBe('🇩')
})

test('no number of marks makes a cell grow for ever', async () => {
  const { cell, write } = await open('e')
  write('\u0301'.repeat(5000))
  for (let n = 0; n < 1000; n++) write('\u0301\x1b[9999b')
  expect(cell(0)?.getChars().length).toBeLessThan(300)
})

test.each([
  ['a line', '\x1b[1J'],
  ['the whole screen', '\x1b[99;99H\x1b[1J'],
  ['what is not protected', '\x1b[99;99H\x1b[?1J'],
  ['up to a cursor that waits to wrap', `${'x'.repeat(20)}\x1b[1J`],
  ['below lines that have scrolled out', `${'line\r\n'.repeat(20)}\x1b[99;99H\x1b[1J`],
])('erasing above up to the last column erases %s and nothing else', async (_, text) => {
  const { row, terminal } = await open(text)
  expect(Array.from({ length: SIZE.rows }, (_unused, y) => row(y)).join('')).toBe('')
  const last = terminal.buffer.active.baseY + SIZE.rows - 1
  expect(terminal.buffer.active.getLine(last)?.isWrapped).toBe(false)
})

test.each([['S'], ['T'], ['L'], ['M'], ['I'], ['Z'], ['b']])(
  'a sequence that says to do something two thousand million times ends: %s',
  async (final) => {
    const { row } = await open(`a\x1b[2147483647${final}\x1b[H\x1b[2Jdone`)
    expect(row(0)).toBe('done')
  },
)

test.each(['S', 'T', 'L', 'M'])('as many lines as there are, and more, are the same: %s', async (final) => {
  const lines = Array.from({ length: SIZE.rows }, (_unused, n) => `line ${n}`).join('\r\n')
  const shown = async (count: number): Promise<string[]> => {
    const { row } = await open(`${lines}\x1b[2;1H\x1b[${count}${final}`)
    return Array.from({ length: SIZE.rows }, (_unused, y) => row(y))
  }
  expect(await shown(2_000_000_000)).toEqual(await shown(SIZE.rows))
  expect(await shown(1)).not.toEqual(await shown(SIZE.rows))
})

test.each([
  ['smaller, then larger', [4, 6]],
  ['much smaller, then much larger', [1, 30]],
  ['twice', [3, 8, 2, 12]],
  ['larger, then smaller', [12, 4, 9]],
])('an alternate screen keeps nothing that was scrolled out, after sizes before it: %s', async (_, sizes) => {
  const { terminal, write, insides } = await open('')
  const last = sizes.at(-1) ?? 0
  for (const rows of sizes.slice(0, -1)) terminal.resize(SIZE.columns, rows)
  write(`\x1b[?1049h\x1b[H${Array.from({ length: 40 }, (_unused, n) => `line ${n}`).join('\r\n')}`)
  expect(insides.buffers.alt.ybase).toBe(0)
  const rows = terminal.rows
  terminal.resize(SIZE.columns, last)
  expect(insides.buffers.alt.ybase).toBe(0)
  const first = terminal.buffer.alternate.getLine(0)?.translateToString(true)
  expect(first).toBe(`line ${40 - Math.min(rows, last)}`)
})

test.each([
  ['by newlines', '\n\n\n\n'],
  ['by wrapping', 'x'.repeat(70)],
  ['in a region that begins at the top', '\x1b[1;5r\x1b[5;1H\n\n\n\x1b[r'],
])('a saved cursor stays in its place on the screen while lines scroll %s', async (_, scrolling) => {
  const { insides, write } = await open(`\x1b[4;7H\x1b7\x1b[6;1H${scrolling}\x1b8`)
  expect([insides.buffers.active.x, insides.buffers.active.y]).toEqual([6, 3])
  write(`${'line\r\n'.repeat(300)}\x1b8`)
  expect([insides.buffers.active.x, insides.buffers.active.y]).toEqual([6, 3])
})

test.each([
  ['narrower', { columns: 9, rows: 6 }],
  ['wider', { columns: 50, rows: 6 }],
  ['lower', { columns: 20, rows: 3 }],
  ['higher', { columns: 20, rows: 9 }],
])(
  'a saved cursor stays beside its text in a screen that becomes %s, however much history there is',
  async (_, to) => {
    const places: unknown[] = []
    for (const scrollback of [100, 1000]) {
      const terminal = await openEmulator(SIZE, { scrollback })
      const insides = insidesOf(terminal)
      insides.writeSync(Buffer.from(`${`${'word '.repeat(6)}\r\n`.repeat(150)}mine\x1b7\x1b[?1047h`))
      terminal.resize(to.columns, to.rows)
      insides.writeSync(Buffer.from('\x1b[?1047l\x1b8'))
      const { x, y, ybase } = insides.buffers.active
      places.push([x, terminal.buffer.active.getLine(ybase + y)?.translateToString(true)])
    }
    expect(places).toEqual([
      [4, 'mine'],
      [4, 'mine'],
    ])
  },
)

test.each([[[3, 9]], [[2, 4, 9]], [[4, 3, 12]]])(
  'a saved cursor below the last line that is left stays where it is from the first one, through %j rows',
  async (heights) => {
    const places: unknown[] = []
    for (const scrollback of [0, 7, 100, 1000]) {
      const terminal = await openEmulator(SIZE, { scrollback })
      const insides = insidesOf(terminal)
      insides.writeSync(
        Buffer.from(`${'word '.repeat(6).concat('\r\n').repeat(150)}\x1b[H\x1b[J\x1b[6;5H\x1b7\x1b[2;1H`),
      )
      const at = [insides.buffers.normal.savedY - insides.buffers.normal.ybase]
      for (const [step, rows] of heights.entries()) {
        terminal.resize(SIZE.columns - step, rows)
        at.push(insides.buffers.normal.savedY - insides.buffers.normal.ybase)
      }
      places.push(at)
    }
    expect(places).toEqual(places.map(() => places[0]))
  },
)

test.each([[9], [11], [7], [13], [3]])(
  'the last lines stay where lines leave a full history because a screen becomes %s columns wide',
  async (columns) => {
    for (let lines = 140; lines < 160; lines++) {
      const { terminal, insides, row } = await open(`${`${'word '.repeat(6)}\r\n`.repeat(lines)}a\r\nb\r\nc`)
      terminal.resize(columns, SIZE.rows)
      const last = insides.buffers.active.y
      expect([row(last - 2), row(last - 1), row(last)]).toEqual(['a', 'b', 'c'])
      terminal.dispose()
    }
  },
)

test.each([
  ['without wrapping', `\x1b[?7l${'漢'.repeat(12)}x漢漢`],
  ['without wrapping, over wide characters', `${'漢'.repeat(10)}\r\x1b[?7lx${'漢'.repeat(12)}`],
  ['in insert mode', '漢漢漢漢\x1b[1;2H\x1b[4hx漢y漢z'],
  ['in both', `\x1b[4h\x1b[?7l${'漢'.repeat(12)}\x1b[1;4Hxy漢z`],
])('text is the same wherever it is cut: %s', async (_, text) => {
  const whole = await open(text)
  const cut = await open('')
  for (const char of text) cut.write(char)
  expect(cut.insides.buffers.active.lines.get(0)?._data).toEqual(
    whole.insides.buffers.active.lines.get(0)?._data,
  )
})
