import { describe, expect, test } from 'vitest'
import type { MouseAction } from '../../../../src/ui/screen/input/input-event.ts'
import { type LogState, openLog } from '../../../../src/ui/screen/log/log-state.ts'
import { olderWanted } from '../../../../src/ui/screen/log/older-log.ts'
import { pointLog } from '../../../../src/ui/screen/log/point-log.ts'
import { receiveLog } from '../../../../src/ui/screen/log/receive-log.ts'
import {
  append,
  call,
  drawLog,
  LOG_FACTS,
  logOf,
  press,
  rectOf,
  result,
} from '../../../support/dashboard/log-screen.ts'

const SIZE = { columns: 50, rows: 7 }
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}`)

/** Rows inside the border. The row of the cursor has its mark. */
const seen = (state: LogState, size = SIZE): string[] =>
  drawLog(state, size)
    .slice(1, -1)
    .map((row) => row.slice(0, -1).trim().replace(/^┃ */, ''))
const note = (state: LogState, size = SIZE): string =>
  /━ ([^━]*) ┓$/.exec(drawLog(state, size)[0] ?? '')?.[1] ?? ''

const log = (): LogState => logOf(numbers(0, 20))

const mouse = (action: MouseAction['action'], y = 1): MouseAction => ({
  kind: 'mouse',
  action,
  button: 'left',
  x: 3,
  y,
  ctrl: false,
  alt: false,
  shift: false,
})

describe('the end', () => {
  test('is followed until somebody goes up, and again when somebody goes down from it', () => {
    expect(seen(append(log(), ['more']))).toEqual([...numbers(16, 20), 'more'])
    const up = press(log(), ['up'], SIZE)
    expect(seen(up)).toEqual([...numbers(15, 18), '> line 18', 'line 19'])
    expect(note(up)).toBe('100%')
    const more = append(up, ['more', 'and more'])
    expect(seen(more)[3]).toBe('> line 18')
    expect(note(more)).toBe('↓ 2 new')
    expect(note(press(more, ['last'], SIZE))).toBe('following')
    expect(seen(press(more, ['down', 'down', 'down', 'down'], SIZE)).at(-1)).toBe('and more')
    expect(note(press(more, ['down', 'down', 'down', 'down'], SIZE))).toBe('following')
  })

  test('is reached by pages', () => {
    const top = press(log(), ['first'], SIZE)
    expect(seen(top)[0]).toBe('> line 0')
    expect(note(top)).toBe('25%')
    const down = press(top, ['page_down'], SIZE)
    expect(seen(down)).toEqual(['> line 4', ...numbers(5, 9)])
    expect(seen(press(down, ['page_up'], SIZE))).toEqual([...numbers(0, 4), '> line 4'])
    expect(seen(press(down, ['page_up', 'page_up'], SIZE))[0]).toBe('> line 0')
    expect(note(press(top, Array(9).fill('page_down'), SIZE))).toBe('following')
  })

  test('the cursor takes the screen along by rows', () => {
    const up = press(log(), Array(7).fill('up'), SIZE)
    expect(seen(up)).toEqual(['> line 12', ...numbers(13, 17)])
    expect(seen(press(up, Array(5).fill('down'), SIZE))).toEqual([...numbers(13, 17), '> line 17'])
  })
})

describe('the mouse', () => {
  test('scrolls', () => {
    const up = pointLog(log(), mouse('wheel_up'), rectOf(SIZE))
    expect(seen(up)[0]).toContain('line 12')
    expect(note(pointLog(up, mouse('wheel_down'), rectOf(SIZE)))).toBe('following')
  })

  test('unfolds what it clicks on, and folds it at its head only', () => {
    const tools = logOf([call('1', 'ls'), result('1', numbers(0, 9).join('\n'))])
    const size = { columns: 50, rows: 14 }
    const unfolded = pointLog(tools, mouse('press', 3), rectOf(size))
    expect(seen(unfolded, size)[9]).toBe('│ line 8')
    expect(seen(pointLog(unfolded, mouse('press', 3), rectOf(size)), size)[9]).toBe('│ line 8')
    expect(seen(pointLog(unfolded, mouse('press', 1), rectOf(size)), size)[5]).toBe('… 5 more lines  enter')
  })

  test('does not stop the following by a click beside what folds', () => {
    expect(note(pointLog(log(), mouse('press', 2), rectOf(SIZE)))).toBe('following')
  })
})

describe('what is older', () => {
  const tail = (): LogState =>
    receiveLog(openLog(LOG_FACTS), { form: 'transcript', items: numbers(20, 40), from: 20, to: 40 })

  test('is wanted at the top and joins without a jump', () => {
    expect(olderWanted(tail(), SIZE)).toBeNull()
    const top = press(tail(), Array(40).fill('up'), SIZE)
    expect(seen(top).slice(0, 2)).toEqual(['> reading what is older …', 'line 20'])
    expect(olderWanted(top, SIZE)).toBe(20)
    const older = receiveLog(top, { form: 'transcript', items: numbers(10, 20), from: 10, to: 20 })
    expect(seen(older)).toEqual(['> line 19', ...numbers(20, 24)])
  })

  test('is read up to the beginning for whoever went there', () => {
    const top = press(tail(), ['first'], SIZE)
    const older = receiveLog(top, { form: 'transcript', items: numbers(10, 20), from: 10, to: 20 })
    expect(olderWanted(older, SIZE)).toBe(10)
    const all = receiveLog(older, { form: 'transcript', items: numbers(0, 10), from: 0, to: 10 })
    expect(seen(all)).toEqual(['> line 0', ...numbers(1, 5)])
    expect(olderWanted(all, SIZE)).toBeNull()
  })

  test('has the calls of results that came before', () => {
    const orphan = receiveLog(tail(), { form: 'transcript', items: [result('1', 'src')], from: 40, to: 41 })
    const older = receiveLog(orphan, { form: 'transcript', items: [call('1', 'ls')], from: 0, to: 20 })
    expect(seen(press(older, ['first'], SIZE)).slice(0, 3)).toEqual(['> ● Bash  ls', '│ src', 'line 20'])
    expect(seen(press(older, ['last'], SIZE)).at(-1)).toBe('line 39')
  })

  test('is not taken where it does not join', () => {
    const late = { form: 'transcript', items: ['lost'], from: 0, to: 10 } as const
    const log = tail()
    expect(receiveLog(log, late)).toBe(log)
  })
})

test('a log without end keeps its last part, and says where the whole is', () => {
  let state = logOf([])
  const long = 'x'.repeat(100_000)
  for (let part = 0; part < 600; part += 1) state = append(state, [`${part} ${long}`])
  expect(state.scripts.readable.size).toBeLessThan(49_000_000)
  const top = press(state, ['first'], { columns: 90, rows: 7 })
  expect(seen(top, { columns: 90, rows: 7 })[0]).toBe(
    '> what is older is not kept here; all of it is in /logs/stream.jsonl',
  )
})
