import type { Terminal } from '@xterm/headless'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openScreen, type Screen } from '../../../../src/runners/host/terminal/screen.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { drawOn, openTerminal, readCells } from '../../../support/terminal/cells.ts'

const SIZE = { columns: 40, rows: 10 }

async function open(): Promise<{ screen: Screen; replies: string[]; states: string[] }> {
  const replies: string[] = []
  const states: string[] = []
  const screen = await openScreen(SIZE, {
    reply: (text) => replies.push(text),
    onStatus: (state) => states.push(state ?? 'nothing'),
  })
  return { screen, replies, states }
}

/** What a client shows that draws the snapshot, and then `more`, on a reset terminal. */
async function draw(screen: Screen, more = ''): Promise<Terminal> {
  const terminal = await openTerminal(SIZE.columns, SIZE.rows)
  await drawOn(terminal, screen.snapshot(1000) + more)
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
  screen.feed(Buffer.from('\x1b]7501;state=clear\x07'))
  expect(states).toEqual(['working', 'needs_input', 'ready_for_review', 'nothing'])
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

const PIECES = [
  'hello ',
  'wörld',
  '界',
  '🎉',
  '👩‍👩‍👧',
  '🇩🇪',
  'e\u0301',
  '\r\n',
  '\n\n\n',
  '\r',
  '\t',
  '\b',
  '\x1b[31m',
  '\x1b[95;38;5;9m',
  '\x1b[48;2;9;8;7m',
  '\x1b[1;3;4:3;58:5:3m',
  '\x1b[7;9;53m',
  '\x1b[m',
  '\x1b[3;3H',
  '\x1b[9;38H',
  '\x1b[4A',
  '\x1b[2K',
  '\x1b[J',
  '\x1b[1J',
  '\x1b[3X',
  '\x1b[2P',
  '\x1b[2@',
  '\x1b[2L',
  '\x1b[M',
  '\x1bM',
  '\x1b[2;7r',
  '\x1b[r',
  '\x1b[?6h',
  '\x1b[?6l',
  '\x1b[?7l',
  '\x1b[?7h',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b7',
  '\x1b8',
  '\x1b[3g',
  '\x1bH',
  '\x1b(0',
  'qqq',
  '\x1b(B',
  '\x1b[?1049h',
  '\x1b[?1049l',
  'x'.repeat(50),
  'y'.repeat(40),
]

test('whoever joins at any moment sees what one sees who was there from the start, then and later', async () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(pieces, pieces, fc.integer({ min: 1, max: 12 }), async (before, after, step) => {
      const bytes = Buffer.from(before.join(''))
      const { screen } = await open()
      const witness = await openTerminal(SIZE.columns, SIZE.rows)
      for (let at = 0; at < bytes.length; at += step) {
        await drawOn(witness, screen.feed(bytes.subarray(at, at + step)))
      }
      const joined = await draw(screen)
      expect(readCells(joined)).toEqual(readCells(witness))
      for (const terminal of [joined, witness]) await drawOn(terminal, after.join(''))
      expect(readCells(joined)).toEqual(readCells(witness))
    }),
    { numRuns: sweptRounds(150), seed: 20 },
  )
})

const TALK = [
  '\x05',
  '\x1b[c',
  '\x1b[6n',
  '\x1b[?2026$p',
  '\x1b[18t',
  '\x1b[?u',
  '\x1b[>5u',
  '\x1b]0;title\x07',
  '\x1b]11;?\x1b\\',
  '\x1b]7501;state=working\x07',
  '\x1b]7501;state=done\x07',
  '\x1bP$qm\x1b\\',
  '\u009b6n',
  '\x1b]0;cut\x1b[3',
  '\x1bX',
  '\x18',
  '\x1bc',
  'long '.repeat(5000),
]

test('a screen that draws late is the same, and answers as soon, as one that draws each chunk at once', async () => {
  const pieces = fc.array(fc.constantFrom(...PIECES, ...TALK, ...TALK), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 40 }), fc.nat(20), async (all, step, narrower) => {
      const bytes = Buffer.from(all.join(''))
      const late = await open()
      const prompt = await open()
      for (let at = 0; at < bytes.length; at += step) {
        const chunk = bytes.subarray(at, at + step)
        expect(late.screen.feed(chunk)).toEqual(prompt.screen.feed(chunk))
        prompt.screen.marksPastes()
        expect([late.replies, late.states]).toEqual([prompt.replies, prompt.states])
      }
      for (const { screen } of [late, prompt]) screen.resize(SIZE.columns - narrower, SIZE.rows)
      expect(late.screen.snapshot(1000)).toBe(prompt.screen.snapshot(1000))
    }),
    { numRuns: sweptRounds(100), seed: 21 },
  )
})

test('links and curly underlines are carried', async () => {
  const { screen } = await open()
  screen.feed(Buffer.from('\x1b]8;id=1;https://example.com\x1b\\a\x1b[4:3;58:2::1:2:3mb\x1b]8;;\x1b\\c'))
  const snapshot = screen.snapshot(0)
  expect(snapshot).toContain('\x1b]8;id=1;https://example.com\x1b\\a\x1b[0;4:3;58:2::1:2:3mb\x1b]8;;\x1b\\c')
})

test('an endless sequence is not held for ever', async () => {
  const { screen } = await open()
  expect(screen.feed(Buffer.from('ab\x1b]0;'))).toHaveLength(2)
  expect(screen.feed(Buffer.alloc(1 << 17, 'x')).length).toBeGreaterThan(1 << 17)
})

test('whoever attaches learns the title, and a title cannot say more than that', async () => {
  const { screen } = await open()
  expect(screen.snapshot(0)).not.toContain('\x1b]2;')
  screen.feed(Buffer.from('\x1b]0;at work\x07'))
  const terminal = await openTerminal(SIZE.columns, SIZE.rows)
  const titles: string[] = []
  terminal.onTitleChange((title) => titles.push(title))
  await drawOn(terminal, screen.snapshot(0))
  screen.feed(Buffer.from('\x1b]2;a\x9bb\x1b\\\x1b]2;c\x9c\x07'))
  await drawOn(terminal, screen.snapshot(0))
  expect(titles[0]).toBe('at work')
  expect(titles.slice(1).join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
})
