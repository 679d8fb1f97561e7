import type { Terminal } from '@xterm/headless'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScreen, type Screen } from '../../../src/runners/host/screen.ts'
import { drawOn, openTerminal, readCells } from '../../support/cells.ts'

const SIZE = { columns: 40, rows: 10 }

async function open(): Promise<{ screen: Screen; replies: string[]; states: string[] }> {
  const replies: string[] = []
  const states: string[] = []
  const screen = await openScreen(SIZE, {
    reply: (text) => replies.push(text),
    onStatus: (state) => states.push(state),
  })
  return { screen, replies, states }
}

/** What a client shows that draws the snapshot on a reset terminal, and then `more`. */
async function draw(screen: Screen, more = ''): Promise<Terminal> {
  const terminal = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(terminal, screen.snapshot(1000) + more)
  return terminal
}

async function drawDirectly(text: string): Promise<Terminal> {
  const terminal = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(terminal, text)
  return terminal
}

const ask = async (query: string): Promise<string[]> => {
  const { screen, replies } = await open()
  screen.feed(Buffer.from(query))
  return replies
}

test('questions are answered although nobody is attached', async () => {
  expect(await ask('\x1b[c')).toEqual(['\x1b[?1;2c'])
  expect(await ask('ab\x1b[6n')).toEqual(['\x1b[1;3R'])
  expect(await ask('\x1b[?2026$p')).toEqual(['\x1b[?2026;2$y'])
  expect(await ask('\x1b[18t')).toEqual(['\x1b[8;10;40t'])
  expect(await ask('\x1b[>q')).toEqual(['\x1bP>|agency\x1b\\'])
  expect(await ask('\x1b]11;?\x1b\\')).toEqual(['\x1b]11;rgb:1010/1010/1010\x1b\\'])
  expect(await ask('\x1b]10;?;?\x07')).toEqual([
    '\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\',
    '\x1b]11;rgb:1010/1010/1010\x1b\\',
  ])
  expect(await ask('\x1b]4;1;?;231;?\x07')).toEqual([
    '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\',
    '\x1b]4;231;rgb:ffff/ffff/ffff\x1b\\',
  ])
  expect(await ask('\x1b]7501;?\x1b\\')).toEqual(['\x1b]7501;?\x1b\\'])
})

test('the kitty keyboard is kept on a stack of its own for each screen', async () => {
  expect(
    await ask('\x1b[?u\x1b[>5u\x1b[?u\x1b[=2;2u\x1b[?u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[<u\x1b[?u'),
  ).toEqual(['\x1b[?0u', '\x1b[?5u', '\x1b[?7u', '\x1b[?0u', '\x1b[?0u'])
})

test('what a program reports of itself is understood, and nonsense is not', async () => {
  const { screen, states } = await open()
  screen.feed(Buffer.from('\x1b]7501;state=working:app=x\x1b\\\x1b]7501;state=blocked:kind=question\x07'))
  screen.feed(Buffer.from('\x1b]7501;state=toString\x07\x1b]7501;state=done;app=x\x07\x1b]7501;:::\x07'))
  expect(states).toEqual(['working', 'needs_input', 'ready_for_review'])
})

test('a snapshot carries the modes that a terminal needs to go on', async () => {
  const { screen } = await open()
  screen.feed(
    Buffer.from(
      '\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[?2004h\x1b[?25l\x1b[5 q\x1b[3;8r\x1b[>3u\x1b[>4;2m\x1b[5;6Hx\x1b[?2026h',
    ),
  )
  const snapshot = screen.snapshot(0)
  for (const mode of [
    '?1002h',
    '?1006h',
    '?1004h',
    '?2004h',
    '?25l',
    '5 q',
    '3;8r',
    '>3u',
    '>4;2m',
    '?2026h',
  ]) {
    expect(snapshot).toContain(`\x1b[${mode}`)
  }
  const terminal = await draw(screen)
  expect([terminal.buffer.active.cursorX, terminal.buffer.active.cursorY]).toEqual([6, 4])
})

test('saved cursor, tab stops, line drawing and the scroll region go on where they were', async () => {
  const before = 'one\r\n\x1b[2;5H\x1b7\x1b[3g\x1b[1;4H\x1bH\x1b[2;6r\x1b(0\x1b[6;1H'
  const after = 'qq\n\n\x1b8Z\x1b[1;1H\tT'
  const { screen } = await open()
  screen.feed(Buffer.from(before))
  const joined = await draw(screen, after)
  expect(readCells(joined)).toEqual(readCells(await drawDirectly(before + after)))
})

const PIECES = [
  'hello ',
  'wörld',
  '界',
  '🎉',
  '👩‍👩‍👧',
  'e\u0301',
  '\r\n',
  '\t',
  '\x1b[31m',
  '\x1b[48;2;9;8;7m',
  '\x1b[1;3;4m',
  '\x1b[m',
  '\x1b[3;3H',
  '\x1b[2K',
  '\x1b[J',
  '\x1b[?1049h',
  '\x1b[?1049l',

  'x'.repeat(50),
]

test('whoever joins at any moment sees what one who was there from the start sees', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
      async (pieces, steps) => {
        const bytes = Buffer.from(pieces.join(''))
        const { screen } = await open()
        for (let at = 0, step = 0; at < bytes.length; step++) {
          const length = steps[step % steps.length] ?? 1
          screen.feed(bytes.subarray(at, at + length))
          at += length
        }
        expect(readCells(await draw(screen))).toEqual(readCells(await drawDirectly(pieces.join(''))))
      },
    ),
    { numRuns: 60 },
  )
})

test('an endless sequence is not held for ever', async () => {
  const { screen } = await open()
  expect(screen.feed(Buffer.from('ab\x1b]0;'))).toHaveLength(2)
  expect(screen.feed(Buffer.alloc(1 << 17, 'x')).length).toBeGreaterThan(1 << 17)
})
