// The state of an emulator as bytes: what it carries, and that nothing but such bytes is taken.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadState, takeState } from '../../../src/core/emulator/emulator-state.ts'
import { sweptRounds } from '../../support/kills/sweep-steps.ts'
import { differences, openWatcher } from '../../support/terminal/joining.ts'

const SIZE = { columns: 20, rows: 6 }

async function made(text: string) {
  const watcher = await openWatcher(SIZE)
  watcher.insides.writeSync(Buffer.from(text))
  return watcher
}

const CARRIED: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'newline mode': ['\x1b[20h', 'a\nb'],
  'the third and the fourth character set': ['\x1b*0\x1b+A', '\x1bnqqq\x1bo###'],
  'a character set that is in use': ['\x1b)0\x0e', 'qqq'],
  'a national character set': ['\x1b(K', '[]'],
  'protected cells': ['\x1b[1"qsafe\x1b[0"q gone', '\x1b[?2K'],
  'protection of what comes': ['\x1b[1"q', 'safe\x1b[?2K'],
  "the other screen's saved cursor": ['\x1b[?1047h\x1b[3;4H\x1b[31m\x1b7\x1b[?1047l', '\x1b[?1047h\x1b8x'],
  "the first screen's saved cursor": ['\x1b[2;5H\x1b(0\x1b7\x1b[?1047h', '\x1b[?1047l\x1b8q'],
  'the character to repeat': ['ab', '\x1b[5b'],
  'the cluster to repeat': ['e\u0301', '\x1b[3b'],
  'a cluster that goes on': ['👩\u200d', '👩'],
  'half of a flag': ['🇩', '🇪'],
  'a character in the middle': ['a\xe6'.slice(0, 1), 'b'],
  'parameters of an unfinished sequence': ['\x1b[1;38:2:9', ':8:7mx'],
  'an unfinished title': ['\x1b]2;ti', 'tle\x07x'],
  'an unfinished link': ['\x1b]8;id=1;https://exam', 'ple.com\x1b\\x'],
  'an unfinished device string': ['\x1bP$q', 'm\x1b\\x'],
  'an unfinished comment': ['\x1b_text', ' more\x1b\\x'],
  'a link that is open': ['\x1b]8;id=a;https://example.com\x07one', 'two\x1b]8;;\x07three'],
  'a link that was overwritten': ['\x1b]8;;https://example.com\x07one\x1b[2K\x1b]8;;\x07\rx', 'y'],
  'tab stops': ['\x1b[3g\x1b[5G\x1bH\x1b[12G\x1bH\r', '\tx\ty\tz'],
  'a scroll region and its origin': ['\x1b[2;4r\x1b[?6h', 'a\r\nb\r\nc\r\nd\r\ne'],
  'stacks of keyboard modes': ['\x1b[>1u\x1b[>5u\x1b[?1049h\x1b[>3u\x1b[>7u', '\x1b[<u\x1b[?1049l\x1b[<u'],
  'cells that a narrower screen has cut off': ['\x1b[?1049h\x1b[2;1H0123456789漢字漢字', ''],
  'a pen of every look': ['\x1b[1;2;3;4:3;5;7;8;9;53;38:2:1:2:3;48;5;7;58:5:9m', 'x'],
  'a cursor that waits to wrap': ['x'.repeat(20), 'y'],
  'a wide character that wrapped early': [`x${'漢'.repeat(15)}`, '\r\n'],
}

test.each(Object.entries(CARRIED))(
  'an emulator goes on from the state of another: %s',
  async (_, [before, after]) => {
    for (const columns of [SIZE.columns, 13]) {
      const [stayed, joined] = [await made(before), await openWatcher({ columns: 7, rows: 3 })]
      stayed.terminal.resize(columns, SIZE.rows)
      loadState(joined, takeState(stayed, 1000))
      expect(differences(joined, stayed)).toEqual([])
      for (const watcher of [joined, stayed]) {
        watcher.insides.writeSync(Buffer.from(after))
        watcher.terminal.resize(33, 9)
      }
      expect(differences(joined, stayed)).toEqual([])
    }
  },
)

test('no more history is carried than is asked for', async () => {
  const stayed = await made(Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\r\n'))
  const joined = await openWatcher(SIZE)
  for (const [scrollback, length] of [
    [0, 6],
    [10, 16],
    [1000, 50],
  ] as const) {
    loadState(joined, takeState(stayed, scrollback))
    expect(joined.terminal.buffer.normal.length).toBe(length)
    expect(differences(joined, stayed)).toEqual([])
  }
})

test('a state takes about as many bytes as its text', async () => {
  const text = Array.from({ length: 200 }, (_, n) => `\x1b[3${n % 8}m${n} plain\x1b[m 漢字 text`).join('\r\n')
  const state = takeState(await made(text), 1000)
  expect(state.length).toBeLessThan(Buffer.byteLength(text) * 1.2)
})

test('an emulator that had something else before is the same in the end', async () => {
  const joined = await made('\x1b[?1049hother\x1b[31m\x1b]2;title\x07\x1b[>5u\x1b]8;;https://a.b\x07x\x1b[3')
  const stayed = await made('first\x1b[32m')
  loadState(joined, takeState(stayed, 1000))
  for (const { insides } of [joined, stayed]) insides.writeSync(Buffer.from('1mx'))
  expect(differences(joined, stayed)).toEqual([])
})

test('bytes that are no state are refused, and leave the emulator as it was', async () => {
  const state = takeState(
    await made(`one\r\n漢字 e\u0301 \x1b]8;;https://a.b\x07link\x1b[?1049h\x1b[44mtwo`),
    1000,
  )
  const [joined, before] = [await made('mine'), await made('mine')]
  for (let length = 0; length < state.length; length++) {
    expect(() => loadState(joined, state.subarray(0, length))).toThrow()
  }
  expect(() => loadState(joined, Buffer.concat([state, Buffer.from([0])]))).toThrow(/longer/)
  expect(() => loadState(joined, Buffer.concat([Buffer.from([99]), state.subarray(1)]))).toThrow(/version/)
  expect(differences(joined, before)).toEqual([])
})

test('whatever bytes are taken for a state, the emulator goes on, and no cell holds a control character', async () => {
  const state = takeState(
    await made(`one\r\n漢字 e\u0301 \x1b]8;;https://a.b\x07link\x1b[?1049h\x1b[44mtwo`),
    1000,
  )
  const joined = await openWatcher(SIZE)
  const places = fc.array(fc.tuple(fc.nat(state.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(places, (changes) => {
      const bytes = Buffer.from(state)
      for (const [place, byte] of changes) bytes[place] = byte
      try {
        loadState(joined, bytes)
      } catch {
        return
      }
      const { active } = joined.terminal.buffer
      for (let row = 0; row < active.length; row++) {
        expect(active.getLine(row)?.translateToString()).not.toMatch(/[\x00-\x1f\x7f-\x9f]/)
      }
      joined.terminal.resize(SIZE.columns, SIZE.rows)
      joined.insides.writeSync(
        Buffer.from('\x18\x1b[9;9Htext\r\n\n\n\n\n\n\n\x1b[2J\x1b8\x1b[?1049l\x1b8\x1bM\x1b[2L'),
      )
      joined.terminal.resize(31, 4)
    }),
    { numRuns: sweptRounds(500), seed: 5 },
  )
})
