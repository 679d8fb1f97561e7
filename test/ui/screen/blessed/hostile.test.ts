import xterm from '@xterm/headless'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTheme } from '../../../../src/ui/screen/make-theme.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import { innerRect, type Rect, type Scene } from '../../../../src/ui/screen/scene.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { sample } from '../../../support/run/sampled.ts'
import { looksOf } from '../../../support/terminal/cell-looks.ts'
import { foreignBytes, TURNING } from '../../../support/terminal/output-grammar.ts'
import {
  openStage,
  RECORDED_STREAMS,
  readStream,
  type StageOptions,
} from '../../../support/terminal/stage.ts'
import { SYNTHETIC_STREAMS } from '../../../support/terminal/synthetic-streams.ts'

const SIZE = { columns: 60, rows: 16 }
const PLACE = { x: 18, y: 4, width: 24, height: 8 }

/** Without a border, in the last corner of the screen. */
const CORNER = { x: 40, y: 10, width: 20, height: 6 }

interface Put {
  readonly rect: Rect
  readonly border: boolean
}

const sceneOf = (title: string, { rect, border }: Put): Scene => ({
  size: SIZE,
  boxes: [
    {
      key: 'chrome',
      rect: { x: 0, y: 0, width: SIZE.columns, height: SIZE.rows },
      border: { title, focused: true },
      body: {
        kind: 'rows',
        rows: Array.from({ length: 14 }, (_, n) => ({ line: `row ${n} ${'#'.repeat(60)}` })),
      },
    },
    {
      key: 'agent',
      rect,
      border: border ? { title: 'agent', focused: false } : null,
      body: { kind: 'pane', pane: 'agent' },
    },
  ],
  cursor: { kind: 'pane', pane: 'agent' },
})

const ATTACKS = [
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b[2J\x1b[H\x1b[999;999Hcorner',
  '\x1b[8;50;200t\x1b[3t\x1b[21t',
  '\x1b[6n\x1b[c\x1b[>c\x1b[?u\x1b[>q\x1bZ\x05',
  '\x1b]10;?\x07\x1b]11;?\x1b\\\x1bP$qm\x1b\\\x1bP+q544e\x1b\\',
  '\x1b[?1049h\x1b[?1000h\x1b[?2004h\x1b[?7l\x1b[?25l\x1b[5 q',
  '\x1b[1;1r\x1b[?6h\x1b[?69h\x1b[2;3s',
  '\x1b]8;;https://example.com/\x01\x1b\\a\x1b]8;;javascript:alert(1)\x1b\\b\x1b]8;;\x1b\\',
  '\x1b]8;;https://example.com/a\u202eb\x1b\\a\x1b]8;;https://example.com/ok\x1b\\b',
  '\u202eabc\u2066def\u200fghi\u061cjkl',
  `a${'\u0301'.repeat(500)}`,
  `${'👩\u200d'.repeat(60)}`,
  '👩‍👩‍👧‍👦'.repeat(20),
  '\x9b31m\x9d0;title\x9c\x90q\x9c\u009b2J\u0085\u008d',
  'x'.repeat(300),
  '漢'.repeat(200),
  '\x1b(0\x0e\x1b#8\x1b#3\x1b#6',
  '\x1b_Gi=1,a=T;AAAA\x1b\\\x1bPq#0;2;0;0;0~\x1b\\\x1b]1337;File=:AAAA\x07',
  '\x1b]4;1;rgb:00/00/00\x07\x1b]104\x07\x1b[=5u\x1b[>1u\x1b]9;notify\x07\x07\x07',
  '\xff\xfe\ud800',
  '\x1b[38:2::1:2:3m\x1b[58;5;300m\x1b[4:9m\x1b[999mwild',
  '\x1bc\x1b[!p',
]

interface HostileStage {
  /** What is on the screen outside of the pane. */
  readonly around: () => string[]
  readonly bytes: () => string
  /** Resolves when what was printed has been drawn. */
  attack(bytes: Uint8Array): Promise<void>
}

async function openHostileStage(options: StageOptions & { readonly put?: Put } = {}): Promise<HostileStage> {
  const { put = { rect: PLACE, border: true } } = options
  const stage = await openStage(SIZE, options)
  const inner = put.border ? innerRect(put.rect) : put.rect
  const pane = await openPane('agent', { columns: inner.width, rows: inner.height })
  const scene = (title: string): Scene => sceneOf(title, put)
  stage.canvas.addPane(pane)
  stage.canvas.show(scene('chrome'))
  await stage.until(() => stage.writes() > 0)
  const around = (): string[] => {
    return looksOf(stage.outer, { x: 0, y: 0, width: SIZE.columns, height: SIZE.rows }).flatMap((row, y) =>
      y < inner.y || y >= inner.y + inner.height
        ? row
        : [...row.slice(0, inner.x), ...row.slice(inner.x + inner.width)],
    )
  }
  const attack = async (bytes: Uint8Array): Promise<void> => {
    stage.canvas.expectEcho('agent')
    pane.write(bytes)
    stage.canvas.show(scene(`chrome${stage.writes() % 2}`))
    const before = stage.writes()
    await stage.until(() => stage.writes() > before)
    stage.canvas.show(scene('chrome'))
    await stage.until(() => stage.writes() > before + 1)
  }
  return { around, bytes: stage.bytes, attack }
}

test('whatever an agent prints stays in its pane and becomes nothing but cells', async () => {
  const { attack, around, bytes } = await openHostileStage()
  const before = around()
  for (const text of ATTACKS) {
    await attack(Buffer.from(text))
    expect(around(), JSON.stringify(text)).toEqual(before)
  }
  expect(JSON.stringify(foreignBytes(bytes()))).toBe('""')
  expect(TURNING.test(bytes())).toBe(false)
  expect(bytes()).not.toContain('javascript')
})

test('random bytes among sequences leave nothing else either', async () => {
  const { attack, around, bytes } = await openHostileStage()
  const before = around()
  const piece = fc.oneof(
    fc.constantFrom(...ATTACKS).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((raw) => Buffer.from(raw)),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)),
    fc.constant(Buffer.from('\x1b[')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      await attack(Buffer.concat(pieces))
      expect(around()).toEqual(before)
      expect(JSON.stringify(foreignBytes(bytes()))).toBe('""')
    }),
    { numRuns: sweptRounds(60), seed: 8 },
  )
})

test.each([
  { rect: PLACE, border: true },
  { rect: CORNER, border: false },
])('on a terminal that gives characters other widths, what stands around $rect still stands', async (put) => {
  const outer = new xterm.Terminal({
    cols: SIZE.columns,
    rows: SIZE.rows,
    allowProposedApi: true,
    logLevel: 'off',
  })
  const { attack, around } = await openHostileStage({ outer, put })
  const before = around()
  const emoji = '👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 ⚠️ 1️⃣ 🇫🇷 ☺️ e\u0301 각 ก็ं '
  for (let column = 1; column <= put.rect.width; column++) {
    await attack(Buffer.from(`\x1b[2J\x1b[1;${column}H${emoji}\x1b[6;${column}H${emoji}`))
    expect(around(), `from column ${column}`).toEqual(before)
  }
})

sample(test).each(Object.keys(RECORDED_STREAMS))('%s is written as cells only', async (name) => {
  const { attack, around, bytes } = await openHostileStage()
  const before = around()
  await attack(readStream(name))
  expect(around()).toEqual(before)
  expect(JSON.stringify(foreignBytes(bytes()))).toBe('""')
})

const DEPTHS = [
  ['16', /\x1b\[[\d;:]*[345]8[;:]/],
  ['256', /\x1b\[[\d;:]*[345]8[;:]2/],
  ['none', /\x1b\[(?:[\d;:]*[;[])?(?:[34][0-8]|9[0-7]|10[0-7]|58)\b/],
] as const

test.each(DEPTHS)('on a terminal of %s colours agents are given no more than that', async (depth, beyond) => {
  const theme = makeTheme({ depth, background: 'dark', ascii: false })
  const { attack, bytes } = await openHostileStage({ theme })
  for (const text of Object.values(SYNTHETIC_STREAMS)) await attack(Buffer.from(`\x1bc${text}`))
  for (const name of Object.keys(RECORDED_STREAMS)) await attack(readStream(name))
  expect(beyond.exec(bytes())?.[0]).toBeUndefined()
})

test('on a terminal of ASCII agents are given nothing else', async () => {
  const theme = makeTheme({ depth: '16', background: 'dark', ascii: true })
  const { attack, bytes } = await openHostileStage({ theme })
  for (const text of Object.values(SYNTHETIC_STREAMS)) await attack(Buffer.from(`\x1bc${text}`))
  expect(/[^\x1b-\x7e]/.exec(bytes())?.[0]).toBeUndefined()
})
