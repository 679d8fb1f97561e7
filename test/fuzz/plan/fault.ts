// What strikes a verb while it works. Each is for one verb; the next one finds what it left.

import type { Dice } from './dice.ts'

export type Fault =
  /** The process group is killed, or calls fail with `error`, at the n-th change of a file; by whom: see `faults/`. */
  | {
      readonly by: 'library' | 'door'
      readonly nth: number
      readonly error: ErrorName | null
      readonly lasts: boolean
      readonly calls: string
    }
  /** A limit of the system's for the verb and all that it starts. */
  | { readonly by: 'limit'; readonly resource: 'nofile' | 'fsize' | 'as'; readonly amount: number }
  /** The file system of the data directory has so many kilobytes left. */
  | { readonly by: 'full'; readonly left: number }

export type ErrorName = 'ENOSPC' | 'EIO' | 'EMFILE' | 'EACCES' | 'ENOMEM' | 'EMLINK' | 'EROFS' | 'EDQUOT'

const MOST_CALLS = 400
const CHANGES = 'owrslm'

export function planFault(dice: Dice, plain: boolean): Fault | null {
  const kind = dice.below(20)
  const nth = dice.magnitude(MOST_CALLS)
  const error = dice.of<ErrorName>([
    'ENOSPC',
    'ENOSPC',
    'EIO',
    'EMFILE',
    'EACCES',
    'EROFS',
    'EDQUOT',
    'ENOMEM',
  ])
  const lasts = dice.chance(0.5)
  const calls = dice.of([CHANGES, CHANGES, 'o', 'w', 'r', 's', 'l', 'm'])
  const limit = planLimit(dice)
  if (kind < 2) return { by: 'door', nth: Math.ceil(nth / 4), error: null, lasts: false, calls: CHANGES }
  if (plain || kind > 8) return null
  if (kind < 5) return { by: 'library', nth, error: null, lasts: false, calls: CHANGES }
  if (kind === 5) return limit
  if (kind === 6) return { by: 'full', left: dice.magnitude(2_000) }
  if (error === 'EMFILE') return { by: 'library', nth: nth * 4, error, lasts, calls: 'e' }
  return { by: 'library', nth, error, lasts, calls: error === 'EMLINK' ? 'l' : calls }
}

const planLimit = (dice: Dice): Fault =>
  dice.of<Fault>([
    { by: 'limit', resource: 'nofile', amount: 20 + dice.below(30) },
    { by: 'limit', resource: 'fsize', amount: dice.magnitude(100_000) },
    { by: 'limit', resource: 'as', amount: (1_500 + dice.below(3_000)) * 2 ** 20 },
  ])
