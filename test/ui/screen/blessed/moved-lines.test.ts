import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { Picture } from '../../../../src/ui/screen/blessed/picture.ts'
import { makeTheme } from '../../../../src/ui/screen/make-theme.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import { type Rect, rows, type SceneBox } from '../../../../src/ui/screen/scene.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { wrongCells } from '../../../support/terminal/cell-looks.ts'

const SIZE = { columns: 40, rows: 12 }
const PLACE: Rect = { x: 10, y: 1, width: 28, height: 9 }
const POPUP: Rect = { x: 14, y: 3, width: 8, height: 3 }
const THEME = makeTheme({ depth: 'true', background: 'dark', ascii: false })

const boxesOf = (list: string, popup: boolean): SceneBox[] => [
  { key: 'list', rect: { x: 0, y: 0, width: 10, height: 12 }, border: null, body: listing(list) },
  { key: 'pane', rect: PLACE, border: null, body: { kind: 'pane', pane: 'agent' } },
  ...(popup ? [{ key: 'popup', rect: POPUP, border: null, body: listing('over it') }] : []),
]

const listing = (text: string): SceneBox['body'] => ({ kind: 'rows', rows: rows(text, text, text) })

async function openScreen() {
  const size = { columns: PLACE.width, rows: PLACE.height }
  const [inner, outer] = [await openEmulator(size), await openEmulator(SIZE)]
  const pane = await openPane('agent', size)
  const picture = new Picture(SIZE, THEME, new Map([['agent', pane]]))
  picture.startOver()
  let popup = false
  const show = (list: string): void => picture.show({ size: SIZE, boxes: boxesOf(list, popup), cursor: null })
  show('')
  return {
    print(text: string): void {
      insidesOf(inner).writeSync(Buffer.from(text))
      pane.write(Buffer.from(text))
      picture.damageChanged(pane)
    },
    scroll(lines: number): void {
      inner.scrollLines(-lines)
      pane.scroll(lines)
      picture.damageChanged(pane)
    },
    list: show,
    cover(over: boolean): void {
      popup = over
      show('')
    },
    draw(held: boolean): string {
      const { cells } = picture.draw(new Set(held ? ['agent'] : []))
      insidesOf(outer).writeSync(Buffer.from(cells))
      return cells
    },
    wrong: () => wrongCells({ inner, outer, place: PLACE, covered: popup ? [POPUP] : [] }),
  }
}

const text = fc.oneof(
  fc.string({ maxLength: 30 }).map((some) => some.replace(/[^\x20-\x7e]/g, ' ')),
  fc.constantFrom('中文字', 'ab', '│ x │', '✻ y', 'e\u0301', '\u{1f600}', '', ' '.repeat(27), 'w'.repeat(28)),
)
const sequence = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 6, arbitrary: fc.constantFrom('\r\n', '\r\n\r\n', '\n', '\r') },
  { weight: 3, arbitrary: fc.constantFrom('\x1b[31m', '\x1b[1;44m', '\x1b[m', '\x1b[4:3m', '\x1b[7m') },
  { weight: 2, arbitrary: fc.nat(10).map((n) => `\x1b[${n};${n * 2}H`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\x1b[K',
      '\x1b[1K',
      '\x1b[2J',
      '\x1b[J',
      '\x1b[L',
      '\x1b[M',
      '\x1b[2P',
      '\x1b[3@',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b[2;6r',
      '\x1b[r',
      '\x1bM',
      '\x1b[S',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[3J',
      '\x1bc',
    ),
  },
)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.array(sequence, { maxLength: 8 }).map((all) => ({ print: all.join('') })) },
  { weight: 2, arbitrary: fc.string({ maxLength: 9 }).map((list) => ({ list })) },
  { weight: 1, arbitrary: fc.boolean().map((cover) => ({ cover })) },
  { weight: 2, arbitrary: fc.integer({ min: -4, max: 4 }).map((scroll) => ({ scroll })) },
  { weight: 1, arbitrary: fc.constant({ held: true }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function takeStep(screen: Awaited<ReturnType<typeof openScreen>>, one: Step): void {
  if ('print' in one) screen.print(one.print)
  if ('scroll' in one) screen.scroll(one.scroll)
  if ('list' in one) screen.list(one.list)
  if ('cover' in one) screen.cover(one.cover)
}

test('lines that move are shown exactly, whatever changes of them, beside them and over them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const screen = await openScreen()
      screen.print('one\r\ntwo\r\nthree\r\n\x1b[32mfour\x1b[m\r\n')
      screen.draw(false)
      for (const one of steps) {
        const held = 'held' in one
        takeStep(screen, one)
        screen.draw(held)
        if (!held) expect(screen.wrong()).toEqual([])
      }
      screen.print('')
      screen.draw(false)
      expect(screen.wrong()).toEqual([])
    }),
    { numRuns: sweptRounds(150) },
  )
})

test('a line that moved and stays from then on is not written again', async () => {
  const screen = await openScreen()
  const line = (n: number): string => `\x1b[3${n % 8}mline ${n}\x1b[m\r\n`
  screen.print(Array.from({ length: 20 }, (_, n) => line(n)).join(''))
  screen.draw(false)
  screen.print(line(20))
  expect(screen.draw(false)).toContain('line 19')
  screen.print('> ')
  const typed = screen.draw(false)
  expect(typed).toContain('>')
  expect(typed).not.toContain('line')
})
