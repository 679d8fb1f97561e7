import { beforeEach, describe, expect, test } from 'vitest'
import { makeTheme, type ThemeChoice } from '../../../../src/ui/screen/make-theme.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import type { Cursor, Rect, Row, SceneBox, Size } from '../../../../src/ui/screen/scene.ts'
import { rows } from '../../../../src/ui/screen/scene.ts'
import { span } from '../../../../src/ui/text/line.ts'
import { looksOf } from '../../../support/terminal/cell-looks.ts'
import { openStage, type Stage } from '../../../support/terminal/stage.ts'

const SIZE: Size = { columns: 40, rows: 10 }
const WHOLE: Rect = { x: 0, y: 0, width: 40, height: 10 }

const theme = (choice: Partial<ThemeChoice> = {}) =>
  makeTheme({ depth: 'true', background: 'dark', ascii: false, ...choice })

const listBox = (rect: Rect, title: string, shown: Row[] = []): SceneBox => ({
  key: title,
  rect,
  border: { title, focused: false },
  body: { kind: 'rows', rows: shown },
})

let stage: Stage

beforeEach(async () => {
  stage = await openStage(SIZE, { theme: theme() })
})

/** Resolves when the boxes are drawn. */
async function show(boxes: readonly SceneBox[], cursor: Cursor = null, on = stage): Promise<void> {
  const seen = new Promise<void>((resolve) => on.onWrite(resolve))
  on.canvas.show({ size: SIZE, boxes, cursor })
  on.canvas.repaint()
  await seen
}

const drawing = (on = stage): string =>
  looksOf(on.outer, WHOLE)
    .map((row) =>
      row
        .map((look) => (look === 'behind' ? '' : JSON.parse(look.replace(/^("(?:[^"\\]|\\.)*").*$/, '$1'))))
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd()

const lookAt = (x: number, y: number, on = stage): string =>
  looksOf(on.outer, { x, y, width: 1, height: 1 })[0]?.[0] ?? ''

test('the first scene is drawn at once, and what follows with the turn', async () => {
  const scene = (title: string) => ({ size: SIZE, boxes: [listBox(WHOLE, title)], cursor: null })
  stage.canvas.show(scene('first'))
  expect(drawing()).toContain('first')
  stage.canvas.show(scene('second'))
  expect(drawing()).not.toContain('second')
  expect(await stage.until(() => drawing().includes('second'))).toBe(true)
})

describe('boxes', () => {
  test('have thin borders with their titles in them, and tees where they join the box above', async () => {
    await show([
      listBox({ x: 0, y: 0, width: 18, height: 6 }, 'Worktrees', rows('a', 'b')),
      {
        ...listBox({ x: 0, y: 5, width: 18, height: 4 }, 'detail'),
        border: { title: 'Detail', focused: false, joinsAbove: true },
      },
      {
        ...listBox({ x: 18, y: 0, width: 22, height: 9 }, 'stage'),
        border: { title: 'stage', note: '2 of 3', focused: true },
      },
    ])
    expect(drawing()).toBe(
      [
        '┌ Worktrees ─────┐┌ stage ───── 2 of 3 ┐',
        '│a               ││                    │',
        '│b               ││                    │',
        '│                ││                    │',
        '│                ││                    │',
        '├ Detail ────────┤│                    │',
        '│                ││                    │',
        '│                ││                    │',
        '└────────────────┘└────────────────────┘',
      ].join('\n'),
    )
  })

  test('are drawn in ASCII where the terminal has nothing else', async () => {
    const ascii = await openStage(SIZE, { theme: theme({ ascii: true }) })
    await show([listBox({ x: 0, y: 0, width: 12, height: 3 }, 'Été', rows('▶ 漢字…│'))], null, ascii)
    expect(drawing(ascii)).toBe(['+ Ete -----+', '|> ? ? .|  |', '+----------+'].join('\n'))
  })

  test('shorten a title in its middle, and leave out a note that does not fit', async () => {
    const border = { title: ['agent ', span('with a very long name', 'dim')], note: 'note', focused: false }
    await show([{ ...listBox({ x: 0, y: 0, width: 20, height: 2 }, ''), border }])
    expect(drawing().split('\n')[0]).toBe('┌ agent wi…ng name ┐')
  })

  test('shorten a title of wide characters without breaking one', async () => {
    await show([listBox({ x: 0, y: 0, width: 12, height: 2 }, '漢字漢字漢字')])
    expect(drawing().split('\n')[0]).toBe('┌ 漢字… 字 ┐')
  })

  test.each([0, 1, 2, 3, 4, 5])('of width and height %i break nothing', async (edge) => {
    await show([listBox({ x: 1, y: 1, width: edge, height: edge }, 'title', rows('row', 'row', 'row'))])
    const lines = drawing().split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(1 + edge)
    expect(lines.length).toBeLessThanOrEqual(1 + edge)
  })

  test('beyond the edges of the screen are cut', async () => {
    await show([
      listBox({ x: -3, y: -1, width: 8, height: 3 }, 'x', rows('0123456')),
      listBox({ x: 36, y: 8, width: 90, height: 90 }, 'far'),
    ])
    expect(drawing().split('\n')[0]).toBe('2345│')
    expect(drawing().split('\n')[8]).toBe(`${' '.repeat(36)}┌ fa`)
  })

  test('lie over one another in the order of the scene, and may change it', async () => {
    const a = listBox({ x: 0, y: 0, width: 10, height: 3 }, 'a')
    const b = listBox({ x: 5, y: 1, width: 10, height: 3 }, 'b')
    await show([a, b])
    expect(drawing()).toBe(['┌ a ─────┐', '│    ┌ b ─────┐', '└────│        │', '     └────────┘'].join('\n'))
    await show([b, a])
    expect(drawing()).toBe(['┌ a ─────┐', '│        │────┐', '└────────┘    │', '     └────────┘'].join('\n'))
    await show([b])
    expect(drawing()).toBe(['', '     ┌ b ─────┐', '     │        │', '     └────────┘'].join('\n'))
  })
})

describe('rows', () => {
  test('are cut at the width and height of their box, wide characters as a whole', async () => {
    await show([listBox({ x: 0, y: 0, width: 7, height: 4 }, '', rows('漢字漢字', '12345678', 'third'))])
    expect(drawing()).toBe(['┌─────┐', '│漢字 │', '│12345│', '└─────┘'].join('\n'))
  })

  test('have a bar from edge to edge', async () => {
    const row: Row = { line: ['a ', span('b', 'failed')], bar: 'selected' }
    await show([listBox({ x: 0, y: 0, width: 8, height: 3 }, '', [row])])
    const ground = 'bg 32b3a5c'
    expect([1, 2, 3, 4, 5, 6].map((x) => lookAt(x, 1).includes(ground))).toEqual(Array(6).fill(true))
    expect([lookAt(0, 1), lookAt(7, 1)].some((look) => look.includes(ground))).toBe(false)
    expect(lookAt(3, 1)).toContain('fg 3e86f7b')
  })

  test('show what could command a terminal as words, once', async () => {
    await show([listBox(WHOLE, '\x1b]0;t\x07', rows('a\x1b[31mb\u202ec\\x1b', span('tab\t', 'dim')))])
    expect(drawing().split('\n').slice(0, 3)).toEqual([
      `┌ \\x1b]0;t\\x07 ${'─'.repeat(24)}┐`,
      `│a\\x1b[31mb\\u202ec\\x1b${' '.repeat(17)}│`,
      `│tab\\t${' '.repeat(33)}│`,
    ])
  })

  test('give each character its width, joined ones and marks included', async () => {
    await show([listBox({ x: 0, y: 0, width: 14, height: 3 }, '', rows('👩‍👩‍👧e\u0301🇫🇷✅✓|'))])
    expect(drawing().split('\n')[1]).toBe('│👩‍👩‍👧e\u0301🇫🇷✅✓|   │')
    expect([3, 8, 9].map((x) => lookAt(x, 1).slice(0, 5))).toEqual(['"e\u0301" ', '"✓" 1', '"|" 1'])
  })
})

describe('colours', () => {
  test('there are none without colours, and what is selected is still seen', async () => {
    const plain = await openStage(SIZE, { theme: theme({ depth: 'none' }) })
    const row: Row = { line: span('x', 'failed'), bar: 'selected' }
    await show([listBox(WHOLE, 'title', [row])], null, plain)
    expect(plain.bytes()).not.toMatch(/\x1b\[[\d;]*[34][0-8][;m]/)
    expect(lookAt(1, 1, plain)).toContain('fg - bg - 10001000')
  })

  test('of 24 bits become near ones where the terminal has 256', async () => {
    const some = await openStage(SIZE, { theme: theme({ depth: '256' }) })
    await show([listBox(WHOLE, 'title', rows(span('x', 'failed')))], null, some)
    expect(lookAt(1, 1, some)).toMatch(/fg 20000[a-f0-9]{2} /)
  })

  test('letters never vanish in their ground where both become the same colour', async () => {
    const few = await openStage(SIZE, { theme: theme({ depth: '16' }) })
    const pane = await openPane('p', SIZE)
    pane.write(
      Buffer.from('\x1b[38;2;225;225;225;48;2;236;236;236mA\x1b[38;2;20;20;20;48;2;5;5;9mB\x1b[31;41mC'),
    )
    few.canvas.addPane(pane)
    await show([{ key: 'p', rect: WHOLE, border: null, body: { kind: 'pane', pane: 'p' } }], null, few)
    expect([0, 1, 2].map((x) => lookAt(x, 0, few).slice(4, 29))).toEqual([
      '1 fg 1000000 bg 1000007 0',
      '1 fg 100000f bg 1000000 0',
      '1 fg 1000001 bg 1000001 0',
    ])
  })
})
