// Makes up an id and claims its directory by an exclusive mkdir. If the id is taken, another one is tried.

import type { RunStep } from '../../doors/steps.ts'
import { deletePath, isErrno, makeDirExclusive, speakOurErrors } from '../../doors/system/files.ts'
import { formatStampedId } from '../../model/ids.ts'
import type { Repository } from '../../store/repository.ts'

export async function claimId(
  { effects }: Repository,
  dirOf: (id: string) => string,
  step: RunStep,
): Promise<string> {
  let claimed: string | null = null
  return await step({
    name: 'claim the id',
    run: async () => {
      while (claimed === null) {
        const id = formatStampedId(effects.clock.now(), effects.random())
        if (await tryClaim(dirOf(id))) claimed = id
      }
      return claimed
    },
    undo: async () => {
      if (claimed !== null) deletePath(dirOf(claimed))
    },
  })
}

async function tryClaim(dir: string): Promise<boolean> {
  try {
    await speakOurErrors(dir, async () => makeDirExclusive(dir))
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}
