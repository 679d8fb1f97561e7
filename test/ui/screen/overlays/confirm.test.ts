import { expect, test } from 'vitest'
import {
  type Confirm,
  openConfirm,
  typeInConfirm,
  viewConfirm,
} from '../../../../src/ui/screen/overlays/confirm.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { picture } from '../../../support/drawing.ts'
import { LOOK } from '../../../support/look.ts'
import { after, key } from '../../../support/typing.ts'

const SIZE = { columns: 60, rows: 12 }

const kill = openConfirm({
  title: 'Kill b7c9?',
  lines: [
    'claude and the 3 processes that it started end at once. Its sandbox stays, with all that it wrote.',
  ],
  yes: 'kill it',
  no: 'leave it',
  usually: 'no',
})

const drawn = (state: Confirm, size: Size): string => picture(viewConfirm(state, size, LOOK).boxes, size)

const outcomes = (state: Confirm, ...chords: readonly string[]): string => {
  let now = state
  let last = 'open'
  for (const chord of chords) {
    const step = typeInConfirm(now, key(chord), SIZE)
    now = step.state
    last = step.outcome.kind
  }
  return last
}

test('says what will happen, and what the keys do', () => {
  expect(drawn(kill, SIZE)).toMatchInlineSnapshot(`
    "

    ┏ Kill b7c9? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃                                                          ┃
    ┃ claude and the 3 processes that it started end at once.  ┃
    ┃ Its sandbox stays, with all that it wrote.               ┃
    ┃                                                          ┃
    ┃   y kill it   ▸ n leave it                               ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛


    "
  `)
})

test('Enter does what is chosen: no, until the person chooses', () => {
  expect(outcomes(kill, 'enter')).toBe('cancelled')
  expect(outcomes(kill, 'tab', 'enter')).toBe('submitted')
  expect(outcomes(openConfirm({ ...kill.question, usually: 'yes' }), 'enter')).toBe('submitted')
})

test('y is yes, n and Esc are no, other keys are nothing', () => {
  expect(outcomes(kill, 'y')).toBe('submitted')
  expect(outcomes(kill, 'n')).toBe('cancelled')
  expect(outcomes(kill, 'escape')).toBe('cancelled')
  expect(outcomes(kill, 'x', 'space')).toBe('open')
})

test('what is too long for the screen scrolls', () => {
  const long = openConfirm({ ...kill.question, lines: Array.from({ length: 30 }, (_, at) => `file ${at}`) })
  const size = { columns: 30, rows: 9 }
  expect(drawn(long, size)).toMatchInlineSnapshot(`
    "┏ Kill b7c9? ━━━━━━━━━━ 4/30 ┓
    ┃                            ┃
    ┃ file 0                     ┃
    ┃ file 1                     ┃
    ┃ file 2                     ┃
    ┃ file 3                     ┃
    ┃                            ┃
    ┃   y kill it   ▸ n leave it ┃
    ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
  const down = after(
    long,
    Array.from({ length: 50 }, () => key('down')),
    (now, event) => typeInConfirm(now, event, size).state,
  )
  expect(drawn(down, size)).toContain('file 29')
  expect(drawn(typeInConfirm(down, key('up'), size).state, size)).not.toContain('file 29')
})
