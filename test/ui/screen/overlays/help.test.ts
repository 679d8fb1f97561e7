import { expect, test } from 'vitest'
import { BINDINGS } from '../../../../src/ui/screen/keys/bindings.ts'
import { resolveBindings } from '../../../../src/ui/screen/keys/resolve-bindings.ts'
import { type Help, openHelp, typeInHelp } from '../../../../src/ui/screen/overlays/help.ts'
import { viewHelp } from '../../../../src/ui/screen/overlays/view-help.ts'
import type { Size } from '../../../../src/ui/screen/scene.ts'
import { picture } from '../../../support/dashboard/drawing.ts'
import { LOOK } from '../../../support/dashboard/look.ts'
import { after, key, keys, typing } from '../../../support/dashboard/typing.ts'

const SIZE = { columns: 80, rows: 16 }
const open = (bindings = BINDINGS): Help =>
  openHelp({ bindings, active: ['diff', 'invocation'], version: '0.1.0' })
const press = (state: Help, ...chords: readonly string[]): Help =>
  after(state, keys(...chords), (now, event) => typeInHelp(now, event, SIZE).state)
const drawn = (state: Help, size: Size = SIZE): string => picture(viewHelp(state, size, LOOK).boxes, size)

test('the keys that apply here stand first', () => {
  expect(drawn(open())).toMatchInlineSnapshot(`
    "  ┏ Keys ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 13/87 ┓
      ┃ / type to search                                                         ┃
      ┃ In a diff: here                                                          ┃
      ┃ n           next hunk           go to the next hunk                      ┃
      ┃ p           previous hunk       go to the hunk before                    ┃
      ┃ ⏎           fold                fold the file, or unfold it              ┃
      ┃ w           whitespace          hide changes of white space only, or sh… ┃
      ┃ t           commits             commit by commit, or all in one          ┃
      ┃ /           search              find a text in it                        ┃
      ┃ N           next match          go to the next match of the search       ┃
      ┃                                                                          ┃
      ┃ On an agent: here                                                        ┃
      ┃ ⏎           focus               give the keyboard to its terminal, or o… ┃
      ┃ d           diff                show everything that it changed          ┃
      ┃ L           land                move its work onto the worktree's branch ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
})

test('typing searches, Esc clears and then closes', () => {
  const state = after(open(), typing('undo'), (now, event) => typeInHelp(now, event, SIZE).state)
  expect(drawn(state)).toMatchInlineSnapshot(`
    "  ┏ Keys ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ / undo                                                                   ┃
      ┃ On an agent: here                                                        ┃
      ┃ D  discard  drop its work; kept for undo                                 ┃
      ┃                                                                          ┃
      ┃ Anywhere                                                                 ┃
      ┃ u  undo     take back a landing, discard, removal, restore               ┃
      ┃ U  redo     do again what was undone                                     ┃
      ┃                                                                          ┃
      ┃ agency 0.1.0. To report what is wrong, add what agency doctor says.      ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛"
  `)
  expect(typeInHelp(state, key('?'), SIZE).outcome.kind).toBe('open')
  const cleared = typeInHelp(state, key('escape'), SIZE)
  expect(cleared.outcome.kind).toBe('open')
  expect(typeInHelp(cleared.state, key('escape'), SIZE).outcome.kind).toBe('cancelled')
  expect(typeInHelp(cleared.state, key('?'), SIZE).outcome.kind).toBe('cancelled')
})

test('a search that finds nothing says so', () => {
  const state = after(open(), typing('qq'), (now, event) => typeInHelp(now, event, SIZE).state)
  expect(drawn(state)).toContain('no key does that; Esc clears the search')
})

test('scrolls to the version at its end, and no further', () => {
  const end = press(open(), ...Array.from({ length: 30 }, () => 'page_down'))
  expect(drawn(end)).toContain('agency 0.1.0. To report what is wrong')
  expect(drawn(press(end, 'up'))).not.toContain('agency 0.1.0')
  expect(press(end, ...Array.from({ length: 200 }, () => 'up')).top).toBe(0)
})

test('shows the keys as the person has bound them', () => {
  const bindings = resolveBindings(BINDINGS, { 'diff.fold': ['enter', 'ctrl+f'], 'diff.commits': false })
  const picture = drawn(open(bindings))
  expect(picture).toMatch(/⏎ Ctrl-F +fold/)
  expect(picture).toMatch(/– +commits/)
})
