// What somebody sees who joins with a terminal of their own, which a drawing has to tell everything.

import type { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { openScreen, type Screen } from '../../../../src/runners/host/terminal/screen.ts'
import { drawOn, openTerminal, readCells } from '../../../support/terminal/cells.ts'

const SIZE = { columns: 40, rows: 10 }

const open = async (): Promise<{ screen: Screen }> => ({
  screen: await openScreen(SIZE, { reply: () => {}, onStatus: () => {} }),
})

async function draw(screen: Screen, more = ''): Promise<Terminal> {
  const terminal = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(terminal, screen.snapshot(1000) + more)
  return terminal
}

const WRAPPED: Readonly<Record<string, string>> = {
  'a wide character that did not fit': `x${'漢'.repeat(30)}`,
  'a wide character on a ground': `\x1b[44mx${'漢'.repeat(30)}\x1b[m`,
  'a tab into the last column': `${'\t'.repeat(9)}zz after`,
  'a cursor jump into the last column': 'left\x1b[40Gr right prompt',
  'an erased last cell': `${'y'.repeat(45)}\x1b[A\x1b[40G\x1b[K\x1b[B`,
  'an erased first cell': `${'y'.repeat(45)}\r\x1b[X`,
  'both erased, on grounds': `${'y'.repeat(45)}\r\x1b[41m\x1b[X\x1b[A\x1b[40G\x1b[42m\x1b[X\x1b[B`,
  'an erased cell before a wide character': `${'y'.repeat(40)}漢\x1b[A\x1b[40G\x1b[K\x1b[B`,
  'a whole paragraph of blanks': `${' '.repeat(90)}end`,
  'wide characters and accents': `e\u0301${'漢'.repeat(19)}e\u0301漢e\u0301`,
}

test.each(Object.entries(WRAPPED))('a drawing wraps where the screen does: %s', async (_, text) => {
  const { screen } = await open()
  const witness = await openTerminal(SIZE.columns, SIZE.rows)
  const joined = await openTerminal(SIZE.columns, SIZE.rows)
  // The line of the cursor is left alone by a resize.
  const bytes = Buffer.from(`first\r\n${text}\r\n\r\n`)
  await drawOn(witness, screen.feed(bytes))
  await drawOn(joined, screen.snapshot(1000))
  expect(readCells(joined)).toEqual(readCells(witness))
  for (const columns of [61, 120, 25, SIZE.columns]) {
    for (const terminal of [joined, witness]) terminal.resize(columns, SIZE.rows)
    expect(readCells(joined).rows).toEqual(readCells(witness).rows)
  }
})

test.each([
  ['at the right edge of a screen that has become narrower', '\x1b[?1049h\x1b[2;39H漢\x1b[3;1Hbelow', 39],
  [
    'in each row',
    `\x1b[?1049h${Array.from({ length: 10 }, (_, y) => `\x1b[${y + 1};21H漢${y}`).join('')}`,
    21,
  ],
  ['that is a cluster', '\x1b[?1049h\x1b[10;30H👩‍💻x', 30],
  ['on a ground', '\x1b[?1049h\x1b[41m\x1b[2;39H漢\x1b[m\x1b[3;1Hbelow', 39],
])('half of a wide character does not shift what is drawn after it: %s', async (_, text, columns) => {
  const { screen } = await open()
  screen.feed(Buffer.from(text))
  screen.resize(columns, SIZE.rows)
  const witness = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(witness, text)
  witness.resize(columns, SIZE.rows)
  const joined = await openTerminal(columns, SIZE.rows)
  await drawOn(joined, screen.snapshot(1000))
  const { active } = witness.buffer
  const rows = Array.from({ length: SIZE.rows }, (_unused, row) => active.getLine(row))
  // What is cut is in the last column.
  const whole = rows.map((line) => line?.translateToString(false, 0, columns - 1).trimEnd())
  expect(readCells(joined).rows).toEqual(whole)
})

test.each([
  ['an accent', '\x1b[2;5H\u0301', '\u0301'],
  ['two accents', '\x1b[2;5H\u0301\u0302', '\u0301\u0302'],
  ['an accent after a joiner', '\x1b[2;5H\u200d\u0301', '\u0301'],
  ['a Thai vowel', '\x1b[2;5H\u0e34', '\u0e34'],
  ['an accent in the first column', '\x1b[2;1H\u0301', '\u0301'],
])('a mark alone in its cell is drawn on a blank: %s', async (_, text, mark) => {
  const { screen } = await open()
  screen.feed(Buffer.from(`\x1b[2;3H|${text}`))
  const snapshot = screen.snapshot(0)
  expect(snapshot).toContain(` ${mark}`)
  expect(snapshot.split(mark).length).toBe(snapshot.split(` ${mark}`).length)
})

test.each([
  ['newline mode', '\x1b[20h', 'a\nb'],
  ['a third character set', '\x1b*0\x1bn', 'qqq'],
  ['a fourth character set', '\x1b+0\x1bo', 'qqq'],
  ['a national character set', '\x1b(K', '[{}]'],
  ['one that is not in use', '\x1b)0', '\x0eqqq'],
  ['one of a saved cursor', '\x1b(K\x1b7\x1b(B', '\x1b8[]'],
  ['protected text', '\x1b[1"qsafe\x1b[0"q gone', '\x1b[?2K'],
  ['protection to come', '\x1b[1"q', 'safe\x1b[0"q gone\x1b[?2K'],
])('a drawing carries %s', async (_, before, after) => {
  const { screen } = await open()
  screen.feed(Buffer.from(before))
  const witness = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(witness, before + after)
  expect(readCells(await draw(screen, after))).toEqual(readCells(witness))
})
