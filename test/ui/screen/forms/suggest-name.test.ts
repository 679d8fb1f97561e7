import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenNameRule } from '../../../../src/core/model/worktree.ts'
import { completionOf, suggestName } from '../../../../src/ui/screen/forms/suggest-name.ts'

test.each([
  ['main', [], 'work-1'],
  ['main', ['work-1', 'work-2'], 'work-3'],
  [null, [], 'work-1'],
  ['feature/Foo_bar', [], 'feature-foo-bar'],
  ['fix-it', ['fix-it'], 'fix-it-2'],
  ['x', [], 'work-1'],
  ['дом', [], 'work-1'],
])('from the branch %j beside %j: %s', (branch, taken, name) => {
  expect(suggestName(branch, taken)).toBe(name)
})

test('a suggestion is always a good name that is free', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (branch) => {
      const first = suggestName(branch, [])
      const second = suggestName(branch, [first])
      expect([brokenNameRule(first), brokenNameRule(second)]).toEqual([null, null])
      expect(second).not.toBe(first)
    }),
  )
})

test('completes to the first name that begins so', () => {
  expect(completionOf('ma', ['develop', 'main', 'maintenance'])).toBe('in')
  expect(completionOf('main', ['main', 'maintenance'])).toBe('tenance')
  expect(completionOf('', ['main'])).toBe('')
})
