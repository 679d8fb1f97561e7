import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatStampedId, parseInvocationId, parseWorktreeId, shortId } from '../../../src/core/model/ids.ts'
import { brokenNameRule, checkWorktreeName, integrationBranch } from '../../../src/core/model/worktree.ts'

describe('ids', () => {
  it('are the UTC second and two random bytes in hex', () => {
    const now = new Date('2026-01-28T12:05:09.876Z')
    expect(formatStampedId(now, Uint8Array.of(0xb7, 0xc9))).toBe('20260128120509-b7c9')
  })

  it('show their last four characters', () => {
    expect(shortId(parseInvocationId('20260128120509-b7c9'))).toBe('b7c9')
  })

  it.each(['', '..', '20260128120509-B7C9', '20260128120509-b7c9/..', '20260128120509-b7c'])(
    'are not made from %j',
    (text) => {
      expect(() => parseInvocationId(text)).toThrow()
    },
  )
})

describe('worktree names', () => {
  it.each(['ab', 'my-feature', '2fast', 'a'.repeat(40)])('may be %j', (name) => {
    expect(brokenNameRule(name)).toBeNull()
  })

  it.each([
    ['a', 'fewer than 2'],
    ['a'.repeat(41), '41 characters'],
    ['a/b', 'only lowercase'],
    ['..', 'only lowercase'],
    ['Feature', 'only lowercase'],
    ['grün', 'only lowercase'],
    ['a b', 'only lowercase'],
    ['a\n', 'only lowercase'],
    ['-ab', 'hyphen'],
    ['ab-', 'hyphen'],
  ])('may not be %j: %s', (name, rule) => {
    expect(brokenNameRule(name)).toContain(rule)
    expect(() => checkWorktreeName(name)).toThrow(expect.objectContaining({ code: 'E_NAME_INVALID' }))
  })

  it('never let a path separator, a dot or a control character through', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        if (brokenNameRule(name) === null) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$/)
      }),
    )
  })

  it('give the branch with the short id', () => {
    expect(integrationBranch('my-feature', parseWorktreeId('20260128120000-a3f2'))).toBe(
      'agency/my-feature-a3f2',
    )
  })
})
