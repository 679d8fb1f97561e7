import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCanvas } from '../../../../src/ui/screen/blessed/create-canvas.ts'
import type { Canvas } from '../../../../src/ui/screen/canvas.ts'
import { makeTheme } from '../../../../src/ui/screen/make-theme.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import type { Pane } from '../../../../src/ui/screen/pane/pane.ts'
import type { Cursor, Scene } from '../../../../src/ui/screen/scene.ts'

const SIZE = { columns: 40, rows: 6 }
const FRAME = 17

let canvas: Canvas
let agent: Pane
let other: Pane
let frames: string[]
let takes: boolean
let drain: () => void

const AT = { kind: 'pane', pane: 'agent' } as const

const sceneOf = (title: string, cursor: Cursor = AT): Scene => ({
  size: SIZE,
  boxes: ['agent', 'other'].map((pane, index) => ({
    key: pane,
    rect: { x: 20 * index, y: 0, width: 20, height: 6 },
    border: { title: index === 0 ? title : pane, focused: false },
    body: { kind: 'pane', pane },
  })),
  cursor,
})

const write = (pane: Pane, text: string): void => pane.write(Buffer.from(text))
const last = (): string => frames.at(-1) ?? ''

beforeEach(async () => {
  agent = await openPane('agent', { columns: 18, rows: 4 })
  other = await openPane('other', { columns: 18, rows: 4 })
  vi.useFakeTimers()
  frames = []
  takes = true
  const output = {
    write: (text: string) => {
      frames.push(text)
      return takes
    },
    onDrain: (listener: () => void) => {
      drain = listener
    },
  }
  canvas = createCanvas({
    output,
    size: SIZE,
    theme: makeTheme({ depth: 'true', background: 'dark', ascii: false }),
  })
  canvas.addPane(agent)
  canvas.addPane(other)
  canvas.show(sceneOf('agent'))
  vi.advanceTimersByTime(0)
  vi.advanceTimersByTime(FRAME)
})

afterEach(() => {
  canvas.dispose()
  vi.useRealTimers()
})

test('the first frame is drawn with the next turn, as a whole, and nothing more where nothing changes', () => {
  expect(frames).toHaveLength(1)
  expect(last()).toMatch(/^\x1b\[\?2026h.*\x1b\[\?2026l$/s)
  canvas.show(sceneOf('agent'))
  vi.advanceTimersByTime(1000)
  expect(frames).toHaveLength(1)
})

test('only what differs is written', () => {
  canvas.show(sceneOf('agenT'))
  vi.advanceTimersByTime(0)
  expect(last()).toBe('\x1b[?2026h\x1b[?25l\x1b[1;7HT\x1b[2;2H\x1b[?25h\x1b[?2026l')
})

test('however much changes, there are 60 frames a second at most', () => {
  for (let ms = 0; ms < 1000; ms++) {
    write(agent, `\r${ms}`)
    canvas.show(sceneOf(`agent ${ms}`))
    vi.advanceTimersByTime(1)
  }
  expect(frames.length).toBeGreaterThan(55)
  expect(frames.length).toBeLessThanOrEqual(61)
})

test('while the terminal takes nothing, nothing is written; then only the last state', () => {
  takes = false
  canvas.show(sceneOf('one'))
  vi.advanceTimersByTime(FRAME)
  expect(frames).toHaveLength(2)
  for (const title of ['two', 'three', 'four']) {
    canvas.show(sceneOf(title))
    canvas.expectEcho('agent')
    write(agent, title)
    vi.advanceTimersByTime(FRAME)
  }
  expect(frames).toHaveLength(2)
  takes = true
  drain()
  vi.advanceTimersByTime(FRAME)
  expect(frames).toHaveLength(3)
  expect(last()).toContain('four')
  expect(last()).toContain('twothreefour')
})

test('an echo is drawn as it comes, what follows it with the next turn, and what others print with its frame', () => {
  write(other, 'first')
  vi.advanceTimersByTime(0)
  expect(last()).toContain('first')
  write(other, 'later')
  canvas.expectEcho('agent')
  write(agent, 'k')
  expect(last()).toContain('k')
  expect(last()).not.toContain('later')
  write(agent, 'Z')
  expect(last()).not.toContain('Z')
  vi.advanceTimersByTime(0)
  expect(last()).toContain('Z')
  expect(last()).not.toContain('later')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('later')
})

test('a frame of what others print is not drawn between a key and its echo, nor lost where there is none', () => {
  write(other, 'planned')
  canvas.expectEcho('agent')
  vi.advanceTimersByTime(4)
  expect(frames).toHaveLength(1)
  write(agent, 'k')
  vi.advanceTimersByTime(0)
  expect(last()).toContain('k')
  vi.advanceTimersByTime(4)
  expect(last()).toContain('planned')
  write(other, '\rwithout')
  canvas.expectEcho('agent')
  vi.advanceTimersByTime(2 * FRAME)
  expect(last()).toContain('without')
})

test('a frame that another agent completes between a key and its echo is not taken for the echo', () => {
  write(other, '\x1b[?2026hhalf')
  vi.advanceTimersByTime(FRAME)
  canvas.expectEcho('agent')
  write(other, ' whole\x1b[?2026l')
  expect(last()).toContain('whole')
  write(agent, 'k')
  expect(last()).toContain('k')
  expect(last()).not.toContain('whole')
})

test('what is printed later than 100 ms after a key is no echo', () => {
  canvas.expectEcho('agent')
  vi.advanceTimersByTime(101)
  write(agent, 'a')
  vi.advanceTimersByTime(0)
  write(agent, 'b')
  vi.advanceTimersByTime(0)
  expect(last()).not.toContain('b')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('b')
})

test('half of a frame of a program is not shown, while others go on', () => {
  write(agent, '\x1b[?2026hhalf')
  write(other, 'other')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('other')
  canvas.show(sceneOf('title'))
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('title')
  expect(frames.join('')).not.toContain('half')
  write(agent, ' whole\x1b[?2026l')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toMatch(/half\x1b\[Cwhole/)
})

test('half of a frame is shown all the same after 150 ms', () => {
  write(agent, '\x1b[?2026hhalf')
  vi.advanceTimersByTime(140)
  expect(frames.join('')).not.toContain('half')
  vi.advanceTimersByTime(FRAME + 10)
  expect(last()).toContain('half')
})

test('of a program that is always in the middle of a frame, its complete frames are shown', () => {
  write(agent, '\x1b[?2026h\x1b[Hframe 0')
  for (let n = 1; n < 10; n++) {
    vi.advanceTimersByTime(FRAME)
    write(agent, `\x1b[?2026l\x1b[?2026h\x1b[Hframe ${n}`)
  }
  expect(frames.slice(1).map((shown) => /frame\x1b\[C\d|H\d/.exec(shown)?.[0].at(-1))).toEqual([
    ...'012345678',
  ])
})

test('panes that the scene does not show cost no frame', () => {
  canvas.show({ size: SIZE, boxes: [], cursor: null })
  vi.advanceTimersByTime(FRAME)
  const before = frames.length
  write(agent, 'unseen')
  vi.advanceTimersByTime(1000)
  expect(frames).toHaveLength(before)
})

test('a pane that was taken away is blank', () => {
  write(agent, 'there')
  vi.advanceTimersByTime(FRAME)
  canvas.removePane('agent')
  canvas.show(sceneOf('gone'))
  vi.advanceTimersByTime(FRAME)
  expect(last()).toMatch(/gone/)
  expect(last()).toMatch(/\x1b\[2;2H\x1b\[m {5}/)
})

test('the cursor is shown where the program has it, unless it is hidden, covered or somewhere else', () => {
  expect(last()).toMatch(/\x1b\[2;2H\x1b\[\?25h\x1b\[\?2026l$/)
  write(agent, 'abc\x1b[5 q')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toMatch(/\x1b\[5 q\x1b\[2;5H\x1b\[\?25h\x1b\[\?2026l$/)
  write(agent, '\x1b[?25l')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toBe('\x1b[?2026h\x1b[0 q\x1b[?25l\x1b[?2026l')
  write(agent, '\x1b[?25h\x1b[0 q')
  vi.advanceTimersByTime(FRAME)
  expect(last()).toBe('\x1b[?2026h\x1b[2;5H\x1b[?25h\x1b[?2026l')
  canvas.show(sceneOf('agent', { kind: 'at', point: { x: 30, y: 5 } }))
  vi.advanceTimersByTime(FRAME)
  expect(last()).toBe('\x1b[?2026h\x1b[6;31H\x1b[?25h\x1b[?2026l')
  const cover = {
    key: 'cover',
    rect: { x: 2, y: 0, width: 9, height: 4 },
    border: null,
    body: { kind: 'rows', rows: [] },
  } as const
  canvas.show({ ...sceneOf('agent'), boxes: [...sceneOf('agent').boxes, cover] })
  vi.advanceTimersByTime(FRAME)
  expect(last()).toMatch(/\x1b\[m\x1b\[\?2026l$|\x1b\[\?25l.*[^h]\x1b\[\?2026l$/)
})

test('while paused nothing is written; a repaint draws everything anew', () => {
  canvas.pause()
  expect(last()).toBe('\x1b[?7h\x1b[0 q\x1b[?25h')
  canvas.show(sceneOf('meanwhile'))
  canvas.expectEcho('agent')
  write(agent, 'printed')
  vi.advanceTimersByTime(1000)
  expect(frames).toHaveLength(2)
  canvas.repaint()
  vi.advanceTimersByTime(FRAME)
  expect(frames).toHaveLength(3)
  for (const part of ['\x1b[2J', 'meanwhile', 'printed', '┌', '┘']) expect(last()).toContain(part)
})

test('a resize draws everything anew in the new size', () => {
  canvas.resize({ columns: 30, rows: 4 })
  canvas.show({ ...sceneOf('small'), size: { columns: 30, rows: 4 } })
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('\x1b[2J')
  expect(last()).toContain('small')
  expect(
    Math.max(...[...last().matchAll(/\x1b\[(\d+);\d+H/g)].map((match) => Number(match[1]))),
  ).toBeLessThanOrEqual(4)
})

test('a new theme colours what is shown already', () => {
  canvas.setTheme(makeTheme({ depth: 'true', background: 'light', ascii: false }))
  vi.advanceTimersByTime(FRAME)
  expect(last()).toContain('38;2;180;184;191')
})

test('when it is disposed of, the terminal is given back and nothing is written any more', () => {
  canvas.show(sceneOf('never'))
  canvas.dispose()
  write(agent, 'x')
  vi.advanceTimersByTime(1000)
  expect(last()).toBe('\x1b[?7h\x1b[0 q\x1b[?25h')
  expect(frames).toHaveLength(2)
})

test('blessed listens to nothing of the process and reads nothing', () => {
  for (const event of ['exit', 'uncaughtException', 'SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGWINCH']) {
    expect([
      event,
      process
        .listeners(event as NodeJS.Signals)
        .filter((listener) => /blessed|Screen|Program/.test(String(listener))),
    ]).toEqual([event, []])
  }
  expect([process.stdin.listenerCount('data'), process.stdin.listenerCount('keypress')]).toEqual([0, 0])
  expect(process.stdout.listenerCount('resize')).toBe(0)
})
