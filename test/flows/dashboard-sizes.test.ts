// The dashboard at the sizes and on the terminals that people have.

import { existsSync } from 'node:fs'
import type { IBufferCell } from '@xterm/headless'
import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import type { Size } from '../../src/ui/screen/scene.ts'
import { type DashboardWindow, openDashboardWindow } from '../support/dashboard/dashboard-window.ts'
import { type Desk, makeDesk } from '../support/processes/cli.ts'
import { addLanded } from '../support/records/many-records.ts'

const ESCAPE = '\x1b'
const DOWN = '\x1b[B'
const END = '\x1b[F'
const HOME = '\x1b[H'

/** Prints the size of its terminal, and each new size. */
const TELLS_ITS_SIZE =
  'tell() { echo "has $(stty size)."; }; trap tell WINCH; tell; while :; do sleep 0.02; done'

async function startHeaded(desk: Desk, script: string): Promise<string> {
  const { invocation } = await desk.data<{ invocation: InvocationRecord }>(
    ...['agent', 'start', '--worktree', 'feature', '--runner', 'shell', '--detached', '--prompt', script],
  )
  return invocation.invocation_id.slice(-4)
}

const cellAt = ({ emulator }: DashboardWindow, x: number, y: number): IBufferCell | undefined =>
  emulator.buffer.active.getLine(y)?.getCell(x)

const charAt = (window: DashboardWindow, x: number, y: number): string =>
  cellAt(window, x, y)?.getChars() ?? ''

/** Whether every row begins and ends with a border, and the footer is below. */
function isWhole(window: DashboardWindow, { columns, rows }: Size): boolean {
  const edges = (x: number): string =>
    Array.from({ length: rows - 1 }, (_, y) => charAt(window, x, y)).join('')
  return (
    /^┌[│├]*└$/.test(edges(0)) &&
    /^┐[│┤]*┘$/.test(edges(columns - 1)) &&
    window.screen().split('\n').at(-1)?.includes('? help') === true
  )
}

async function resize(window: DashboardWindow, size: Size): Promise<void> {
  window.resize(size.columns, size.rows)
  await window.until(() => isWhole(window, size), `not whole at ${size.columns}x${size.rows}`)
}

const POPUPS = [
  ['?', 'type to search'],
  [':', 'type what you want to do'],
  ['n', 'New agent'],
  ['w', 'New worktree'],
] as const

async function openEachPopup(window: DashboardWindow): Promise<void> {
  for (const [key, shown] of POPUPS) {
    window.type(key)
    await window.shows(shown)
    window.type(ESCAPE)
    await window.lacks(shown)
  }
}

test('every size is filled, its popups fit, and the agent has the size of its pane', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const id = await startHeaded(desk, TELLS_ITS_SIZE)
  const window = await openDashboardWindow(desk, { size: { columns: 80, rows: 24 } })
  await window.shows(id)
  window.type(DOWN)
  await window.shows('has 21 48.')
  for (const [columns, rows, told] of [
    [60, 15, 'has 12 28.'],
    [400, 100, 'has 97 352.'],
    [120, 35, 'has 32 82.'],
    [61, 16, 'has 13 29.'],
  ] as const) {
    await resize(window, { columns, rows })
    await window.shows(told)
    await openEachPopup(window)
  }

  window.resize(59, 14)
  await window.shows('Agency needs 60x15 cells; this terminal has 59x14.')
  // The last key draws the screen anew. When it has, the keys before it have been read.
  const written = window.bytes().length
  window.type('kyD\x0c')
  await window.until(() => window.bytes().length > written, 'nothing was drawn')
  await resize(window, { columns: 80, rows: 24 })
  expect(window.screen()).not.toContain('Kill')
  expect((await desk.show(id)).status).toBe('running')
  window.type('q')
  expect((await window.ended).exitCode).toBe(0)
})

type Depth = 'none' | '16' | '256' | 'true'

/** The greatest colour depth that the output asks for. */
function depthOf(bytes: string): Depth {
  const codes = [...bytes.matchAll(/\x1b\[([\d;:]*)m/g)].map(([, code]) => code ?? '')
  const some = (pattern: RegExp): boolean => codes.some((code) => pattern.test(code))
  if (some(/(?:^|;)[345]8[:;]2[:;]/)) return 'true'
  if (some(/(?:^|;)[345]8[:;]5[:;]/)) return '256'
  return some(/(?:^|;)(?:[39][0-7]|4[0-7]|10[0-7])(?:;|$)/) ? '16' : 'none'
}

const COLOURFUL = "printf '\\033[38;2;200;30;30mred \\033[48;5;22mgreen \\033[1;4mbold\\033[m.\\n'; sleep 600"

test('each terminal is given the colours that it has, NO_COLOR none at all', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const id = await startHeaded(desk, COLOURFUL)
  const depths: readonly (readonly [Record<string, string>, Depth])[] = [
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'dumb' }, 'none'],
    [{ TERM: 'screen' }, '16'],
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'tmux-256color' }, '256'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'true'],
    [{ TERM: 'xterm-kitty' }, 'true'],
    [{ TERM: 'alacritty' }, 'true'],
  ]
  for (const [env, depth] of depths) {
    const window = await openDashboardWindow(desk, { env: { COLORTERM: '', ...env } })
    await window.shows(id)
    window.type(DOWN)
    await window.shows('red green bold.')
    window.type('?')
    await window.shows('type to search')
    window.type(ESCAPE)
    await window.lacks('type to search')
    window.type('q')
    expect((await window.ended).exitCode).toBe(0)
    expect(depthOf(window.bytes()), JSON.stringify(env)).toBe(depth)
  }
})

const brightness = (cell: IBufferCell | undefined): number => {
  const colour = cell?.isBgRGB() === true ? cell.getBgColor() : 0
  return ((colour >> 16) & 255) + ((colour >> 8) & 255) + (colour & 255)
}

test('a light background is learnt from the terminal', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const open = async (answer: string): Promise<DashboardWindow> => {
    const window = await openDashboardWindow(desk, { env: { COLORTERM: 'truecolor' } })
    window.emulator.parser.registerOscHandler(11, (data) => {
      if (data === '?') window.type(`\x1b]11;rgb:${answer}\x1b\\`)
      return data === '?'
    })
    await window.shows('feature')
    return window
  }
  const light = await open('ffff/ffff/ffff')
  await light.until(() => brightness(cellAt(light, 2, 1)) > 3 * 190, 'the bar is not light')
  const dark = await open('1010/1010/1010')
  await dark.until(() => brightness(cellAt(dark, 2, 1)) > 0, 'there is no bar')
  expect(brightness(cellAt(dark, 2, 1))).toBeLessThan(3 * 110)
})

test.skipIf(!existsSync('/usr/bin/tmux'))('inside of tmux it is the same', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const id = await startHeaded(desk, TELLS_ITS_SIZE)
  const window = await openDashboardWindow(desk, {
    size: { columns: 100, rows: 31 },
    env: { TMUX_TMPDIR: desk.scratch },
    under: ['tmux', '-f', '/dev/null', '-u', 'new-session'],
  })
  await window.shows(id)
  window.type(DOWN)
  await window.shows('has 27 68.')
  expect(charAt(window, 99, 28)).toBe('┘')
  window.resize(120, 41)
  await window.shows('has 37 82.')
  window.type('\r')
  await window.shows('give the keyboard back')
  window.type('\x03')
  await window.shows('^C')
  window.type('echo "typed in $((6 * 7))"\r')
  await window.shows('typed in 42')
  window.type('\x1c')
  await window.lacks('give the keyboard back')
  window.type('q')
  expect((await window.ended).exitCode).toBe(0)
})

const MANY = 3000
const FRAME = '\x1b[?2026h'
const framesIn = (bytes: string): number => bytes.split(FRAME).length - 1

test('three thousand rows scroll: keys of one moment share a frame, and a frame is no larger than the screen', async () => {
  const desk = makeDesk()
  await desk.worktree('feature')
  const record = await desk.start('feature', 'true')
  await desk.run(['agent', 'wait', record.invocation_id])
  const ids = addLanded(desk, record, MANY)
  const short = (number: number): string => (ids[number] ?? '').slice(-4)
  const window = await openDashboardWindow(desk, { size: { columns: 80, rows: 24 } })
  await window.shows('feature')
  window.type('a')
  await window.shows(short(0))
  await window.shows('── all ┐')
  const detailOf = (number: number): string => `…${ids[number]?.slice(-9)}`
  window.type(HOME)

  const before = window.bytes().length
  const KEYS = 500
  window.type(DOWN.repeat(KEYS))
  await window.shows(detailOf(KEYS - 1))
  const burst = window.bytes().slice(before)
  expect(framesIn(burst)).toBeLessThan(KEYS / 5)
  expect(burst.length / framesIn(burst)).toBeLessThan(80 * 24 * 3)

  const beforeSteps = window.bytes().length
  for (let step = 0; step < 20; step += 1) {
    window.type(DOWN)
    await window.shows(detailOf(KEYS + step))
  }
  expect((window.bytes().length - beforeSteps) / 20).toBeLessThan(80 * 24 * 2)

  window.type(END)
  await window.shows(record.invocation_id.slice(-4))
  window.type('q')
  expect((await window.ended).exitCode).toBe(0)
})
