import { describe, expect, test } from 'vitest'
import { parseObjectId } from '../../../src/core/model/ids.ts'
import { appliesUncommitted, refuseByWork, refuseConflict } from '../../../src/core/model/landing.ts'

describe('what a sandbox holds, and what was asked, decide', () => {
  test.each([
    [{ commits: false, dirty: false }, {}, 'E_NOTHING_TO_LAND'],
    [{ commits: false, dirty: false }, { apply: true }, 'E_NOTHING_TO_LAND'],
    [{ commits: false, dirty: true }, {}, 'E_NEEDS_APPLY'],
    [{ commits: false, dirty: true }, { commits_only: true }, 'E_NEEDS_APPLY'],
    [{ commits: false, dirty: true }, { apply: true }, null],
    [{ commits: true, dirty: false }, {}, null],
    [{ commits: true, dirty: true }, {}, 'E_SANDBOX_DIRTY'],
    [{ commits: true, dirty: true }, { apply: true }, null],
    [{ commits: true, dirty: true }, { commits_only: true }, null],
    [{ commits: true, dirty: true }, { apply: true, commits_only: true }, 'E_USAGE'],
    [{ commits: false, dirty: false }, { apply: 'when_alone' }, 'E_NOTHING_TO_LAND'],
    [{ commits: false, dirty: true }, { apply: 'when_alone' }, null],
    [{ commits: true, dirty: false }, { apply: 'when_alone' }, null],
    [{ commits: true, dirty: true }, { apply: 'when_alone' }, 'E_SANDBOX_DIRTY'],
    [{ commits: true, dirty: true }, { apply: 'when_alone', commits_only: true }, 'E_USAGE'],
  ] as const)('%j with %j: %s', (work, options, refused) => {
    expect(refuseByWork(work, options)?.refused ?? null).toBe(refused)
  })
})

describe('uncommitted work joins the landing', () => {
  test.each([
    [{ commits: false, dirty: true }, {}, false],
    [{ commits: false, dirty: true }, { apply: true }, true],
    [{ commits: true, dirty: true }, { apply: true }, true],
    [{ commits: false, dirty: true }, { apply: 'when_alone' }, true],
    [{ commits: true, dirty: true }, { apply: 'when_alone' }, false],
    [{ commits: true, dirty: false }, { apply: true }, false],
  ] as const)('%j with %j: %s', (work, options, joins) => {
    expect(appliesUncommitted(work, options)).toBe(joins)
  })
})

test('a conflict of many files names ten and counts the rest', () => {
  const files = Array.from({ length: 12 }, (_, n) => `f${n}`)
  const refused = refuseConflict(files, parseObjectId('a'.repeat(40)))
  expect(refused.message).toMatch(/^12 files conflict with the worktree: f0, .*f9 and 2 more$/)
  expect(refused.details['files']).toHaveLength(12)
})
