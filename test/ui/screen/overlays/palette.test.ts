import { expect, test } from 'vitest'
import { type Action, BINDINGS } from '../../../../src/ui/screen/keys/bindings.ts'
import { openPalette, type Palette, typeInPalette } from '../../../../src/ui/screen/overlays/palette.ts'
import { viewPalette } from '../../../../src/ui/screen/overlays/view-palette.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { picture } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { after, click, key, keys, paste, typing } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 80, rows: 14 }

const whyNot = (action: Action): string | null =>
  action === 'invocation.land' ? 'b7c9 is still running: stop it first' : null

const open = (recent: readonly Action[] = []): Palette => openPalette({ bindings: BINDINGS, whyNot, recent })
const type = (state: Palette, text: string): Palette =>
  after(state, typing(text), (now, event) => typeInPalette(now, event, SIZE).state)
const drawn = (state: Palette, size: Size = SIZE): string =>
  picture(viewPalette(state, size, LOOK).boxes, size)
const found = (state: Palette): string[] => state.matches.map(({ entry }) => entry.action)

test('lists every action with its key, what was used last first', () => {
  expect(drawn(open(['anywhere.zoom', 'invocation.diff']))).toMatchInlineSnapshot(`
    "  ┏ Actions ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 65 ┓
      ┃ : type what you want to do                                               ┃
      > zoom                   one pane over the whole stage, and back         z ┃
      ┃ diff                   show everything that it changed                 d ┃
      ┃ new agent              start an agent in a sandbox of its own          n ┃
      ┃ new worktree           make a worktree: the branch that you will merge w ┃
      ┃ focus                  give the keyboard to its terminal, or open its… ⏎ ┃
      ┃ land                   b7c9 is still running: stop it first            L ┃
      ┃ discard                drop its work; kept for undo                    D ┃
      ┃ log                    show what it said and did                       l ┃
      ┃ stop                   interrupt it, and end it after 5 seconds        s ┃
      ┃ kill                   end it and all of its processes at once; asks … k ┃
      ┃ ⏎ do it  ↑↓ choose  Esc close                                            ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
  expect(found(open())).toHaveLength(BINDINGS.length - 1)
})

test('finds by a part of the name, and says why something cannot be done now', () => {
  expect(drawn(type(open(), 'land'))).toMatchInlineSnapshot(`
    "  ┏ Actions ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3 ┓
      ┃ : land                                                                   ┃
      > land                   b7c9 is still running: stop it first            L ┃
      ┃ undo                   take back a landing, discard, removal, restore  u ┃
      ┃ raw                    the lines as the runner wrote them, and back    v ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃ ⏎ do it  ↑↓ choose  Esc close                                            ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
})

test.each([
  ['new ag', 'new.agent'],
  ['undo', 'anywhere.undo'],
  ['ckpt', 'invocation.checkpoint'],
  ['worktree.shell', 'worktree.shell'],
  ['quit', 'anywhere.quit'],
  ['white', 'diff.whitespace'],
])('%j finds %s first', (typed, action) => {
  expect(found(type(open(), typed))[0]).toBe(action)
})

test('the letters that were found stand out', () => {
  const [match] = type(open(), 'newag').matches
  expect(match?.inLabel).toEqual([
    { start: 0, end: 3 },
    { start: 4, end: 6 },
  ])
})

test('Enter gives the action, and what cannot be done stays open and says why', () => {
  expect(typeInPalette(type(open(), 'zoom'), key('enter'), SIZE).outcome).toEqual({
    kind: 'submitted',
    value: 'anywhere.zoom',
  })
  const step = typeInPalette(type(open(), 'land'), key('enter'), SIZE)
  expect(step.outcome.kind).toBe('open')
  expect(drawn(step.state).split('\n').at(-2)).toContain('b7c9 is still running')
})

test('the selection scrolls, and stays in the list', () => {
  const down = after(
    open(),
    keys(...Array.from({ length: 200 }, () => 'down')),
    (now, event) => typeInPalette(now, event, SIZE).state,
  )
  expect(down.selected).toBe(BINDINGS.length - 2)
  expect(drawn(down)).toContain('> quit')
  const up = after(
    down,
    keys('page_up', 'page_up', 'up'),
    (now, event) => typeInPalette(now, event, SIZE).state,
  )
  expect(up.selected).toBe(BINDINGS.length - 2 - 21)
})

test('a click does what it is on, and Esc closes', () => {
  expect(typeInPalette(open(), click(10, 3), SIZE).outcome).toEqual({
    kind: 'submitted',
    value: 'new.worktree',
  })
  expect(typeInPalette(open(), click(10, 0), SIZE).outcome.kind).toBe('open')
  expect(typeInPalette(open(), key('escape'), SIZE).outcome.kind).toBe('cancelled')
  expect(typeInPalette(open(), paste('undo'), SIZE).state.matches[0]?.entry.action).toBe('anywhere.undo')
})

test.each([
  [20, 5],
  [60, 15],
  [200, 60],
])('fits a screen of %ix%i', (columns, rows) => {
  const { boxes, cursor } = viewPalette(type(open(), 'no such action at all'), { columns, rows }, LOOK)
  for (const { rect } of boxes) {
    expect(rect.x + rect.width).toBeLessThanOrEqual(columns)
    expect(rect.y + rect.height).toBeLessThanOrEqual(rows)
  }
  expect(cursor?.x).toBeLessThan(columns)
})
