// A box that is alike keeps its cells, so whatever can be seen of a box has to count as a difference.

import { expect, test } from 'vitest'
import { sameBox } from '../../../../src/ui/screen/cells/same-box.ts'
import type { SceneBox } from '../../../../src/ui/screen/scene.ts'
import { span } from '../../../../src/ui/text/line.ts'

const box = (change: Partial<SceneBox> = {}): SceneBox => ({
  key: 'tree',
  rect: { x: 0, y: 0, width: 20, height: 5 },
  border: { title: ['one ', span('two', 'dim')], note: 'n', focused: false },
  body: { kind: 'rows', rows: [{ line: span('text', 'strong'), bar: 'selected' }] },
  ...change,
})

test('a box that was made anew from the same is alike', () => {
  expect(sameBox(box(), box())).toBe(true)
})

test.each<[what: string, change: Partial<SceneBox>]>([
  ['its place', { rect: { x: 0, y: 1, width: 20, height: 5 } }],
  ['its having a border', { border: null }],
  ['its focus', { border: { title: ['one ', span('two', 'dim')], note: 'n', focused: true } }],
  [
    'a meaning in its title',
    { border: { title: ['one ', span('two', 'strong')], note: 'n', focused: false } },
  ],
  ['its note', { border: { title: ['one ', span('two', 'dim')], focused: false } }],
  [
    'the text of a row',
    { body: { kind: 'rows', rows: [{ line: span('texT', 'strong'), bar: 'selected' }] } },
  ],
  ['the bar of a row', { body: { kind: 'rows', rows: [{ line: span('text', 'strong') }] } }],
  [
    'a row more',
    { body: { kind: 'rows', rows: [{ line: span('text', 'strong'), bar: 'selected' }, { line: '' }] } },
  ],
  ['a pane in place of rows', { body: { kind: 'pane', pane: 'a' } }],
])('%s makes it another', (_, change) => {
  expect(sameBox(box(), box(change))).toBe(false)
  expect(sameBox(box(change), box())).toBe(false)
})
