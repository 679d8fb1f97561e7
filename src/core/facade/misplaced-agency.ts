// The facade of a repository that was moved, or whose data directory was: doctor says so and mends it, and every other
// verb refuses.

import type { Effects } from '../doors/effects.ts'
import type { AgencyError } from '../model/errors.ts'
import type { Misplaced, RepositoryPlace } from '../store/moved-repository.ts'
import { deriveRepositoryFields } from '../store/repository.ts'
import type { Agency } from './agency.ts'
import type { Diagnosis } from './diagnosing.ts'

export interface MisplacedRepository {
  readonly effects: Effects
  readonly place: RepositoryPlace
  readonly misplaced: Misplaced
  readonly error: AgencyError
}

export function misplacedAgency(at: MisplacedRepository): Agency {
  const known: Pick<Agency, 'diagnose'> = {
    diagnose: (options) => diagnoseMisplaced(at, options?.fix === true),
  }
  return new Proxy(known as Agency, {
    get: (target, name) => {
      if (name === 'then') return undefined
      if (name === 'repository') return deriveRepositoryFields(at.place.common_dir)
      if (name in target) return Reflect.get(target, name)
      return () => {
        throw at.error
      }
    },
  })
}

async function diagnoseMisplaced(at: MisplacedRepository, fix: boolean): Promise<Diagnosis> {
  const { effects, place, misplaced } = at
  const { message, hint, move } = misplaced
  const finding = {
    level: 'problem',
    subject: 'place',
    message,
    remedy: move === null ? hint : 'bring its worktrees and agents along to where it is now',
    fixable: move !== null,
  } as const
  if (!fix || move === null) return { findings: [finding], fixed: [] }
  const { relocate } = await import('../changesets/relocate.ts')
  await relocate(effects, place, move)
  const mended = {
    ...finding,
    level: 'ok',
    message: 'where its records say',
    remedy: null,
    fixable: false,
  } as const
  return { findings: [mended], fixed: [`brought along what is known of ${move.record.root}`] }
}
