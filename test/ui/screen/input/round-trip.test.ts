import { describe, expect, test } from 'vitest'
import type { InputEvent } from '../../../../src/ui/screen/input/input-event.ts'
import { encode, NAMED, press } from '../../../support/dashboard/pane-input.ts'
import { readInput } from '../../../support/processes/typed-input.ts'

const [SHIFT, ALT, CTRL] = [1, 2, 4]

describe('what is encoded is understood as the same', () => {
  const everyBits = Array.from({ length: 16 }, (_, bits) => bits)
  /** Shift is already in the name of what is typed, so nearly all of these are pressed without it. */
  const chars = ['a', 'A', 'é', 'É', '6', '^', '?', '\\', '漢', '🦊'].flatMap((char) =>
    everyBits
      .filter((bits) => (bits & SHIFT) === 0 || (char === '6' && bits !== SHIFT))
      .map((bits) => press(char, bits)),
  )
  const named = NAMED.flatMap((name) => everyBits.map((bits) => press(name, bits)))

  test.each([1, 3, 5, 7, 8, 9, 15, 24, 29, 31])(
    'with kitty flags %i, for all keys and modifiers',
    (flags) => {
      const lossy = (event: InputEvent): boolean =>
        event.kind === 'key' && event.text !== null && event.shift && (flags & 8) === 0
      for (const event of [...named, ...chars, press('f13', CTRL), press('f35')].filter(
        (each) => !lossy(each),
      )) {
        expect(readInput(Buffer.from(encode(event, { kitty_flags: flags }) ?? '', 'latin1'))).toEqual([event])
      }
    },
  )

  test('with kitty flags 31, for repeats and releases', () => {
    for (const event of ['repeat', 'release'] as const)
      for (const key of [...NAMED, 'a', 'A', '6', '漢'].map((name) => press(name, 0, event)))
        expect(readInput(Buffer.from(encode(key, { kitty_flags: 31 }) ?? '', 'latin1'))).toEqual([key])
  })

  test('with modifyOtherKeys 2, for all but those that keep their old code', () => {
    const kept = (event: InputEvent): boolean => {
      if (event.kind !== 'key') return true
      if (event.text !== null && event.shift) return event.name !== 'space'
      return event.name === 'backspace' && event.ctrl && !event.alt && !event.shift && !event.meta
    }
    for (const event of [...named, ...chars].filter((each) => !kept(each))) {
      const bytes = encode(event, { modify_other_keys: 2 })
      expect(readInput(Buffer.from(bytes ?? '', 'latin1'))).toEqual([event])
    }
  })

  test("in xterm's encoding for all that it tells apart", () => {
    const typed = new Set(['enter', 'escape', 'tab', 'space', 'backspace'])
    const told = [
      ...named.filter((event) => event.kind === 'key' && !typed.has(event.name)),
      ...[...typed].map((name) => press(name)),
      ...['enter', 'tab', 'space', 'backspace'].map((name) => press(name, ALT)),
      ...[press('tab', SHIFT), press('tab', SHIFT | ALT), press('space', CTRL), press('space', CTRL | ALT)],
      ...['a', 'A', 'é', 'É', '6', '^', '?', '漢'].flatMap((char) => [press(char), press(char, ALT)]),
      ...['a', 'z', '\\', ']', '^', '_'].flatMap((char) => [press(char, CTRL), press(char, CTRL | ALT)]),
    ]
    for (const application_cursor of [true, false])
      for (const event of told)
        expect(readInput(Buffer.from(encode(event, { application_cursor }) ?? '', 'latin1'))).toEqual([event])
  })
})
