import { describe, expect, it } from 'vitest'
import { resolveOne } from '../../../src/core/model/resolve.ts'

const candidate = (id: string, name: string | null = null, exactOnly = false) => ({ id, name, exactOnly })
const find = (typed: string, candidates: ReturnType<typeof candidate>[]) =>
  resolveOne(typed, candidates, 'E_WORKTREE_NOT_FOUND').id

const A = candidate('20260128120000-a3f2', 'alpha')
const B = candidate('20260128130000-b7c9', 'beta')

describe('resolving what a person typed', () => {
  it('takes an exact id, a name, a unique prefix or the last four', () => {
    expect(find('20260128120000-a3f2', [A, B])).toBe(A.id)
    expect(find('beta', [A, B])).toBe(B.id)
    expect(find('202601281300', [A, B])).toBe(B.id)
    expect(find('a3f2', [A, B])).toBe(A.id)
  })

  it('prefers a name to a prefix', () => {
    expect(find('2026', [A, candidate('20270101000000-ffff', '2026')])).toBe('20270101000000-ffff')
  })

  it('names all that an ambiguous prefix fits', () => {
    expect(() => find('2026', [A, B])).toThrow(
      expect.objectContaining({ code: 'E_AMBIGUOUS', details: { candidates: [A.id, B.id] } }),
    )
  })

  it('finds nothing for an empty string or an unknown word', () => {
    expect(() => find('', [A])).toThrow(expect.objectContaining({ code: 'E_WORKTREE_NOT_FOUND' }))
    expect(() => find('gamma', [A])).toThrow(/'gamma'/)
  })

  it('reaches a broken one by its exact id only', () => {
    const broken = candidate('20260128140000-dead', null, true)
    expect(find('20260128140000-dead', [A, broken])).toBe(broken.id)
    expect(() => find('dead', [A, broken])).toThrow()
  })
})
