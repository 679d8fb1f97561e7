// Lists the branches that a worktree can start from: the person's own and those of worktrees, not those of sandboxes.

import type { Branches } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import type { Repository } from '../../store/repository.ts'
import { currentBranch } from './create-worktree.ts'

const SANDBOXES = 'agency/sandbox-'

/** `cwd` is where the person is: the branch there is the current one. */
export async function listBranches(repository: Repository, cwd: string): Promise<Branches> {
  const listed = await repository.git.store.text([
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    'refs/heads',
  ])
  const local = listed.split('\n').filter((name) => name !== '' && !name.startsWith(SANDBOXES))
  return { local, current: await currentOrNone(repository, cwd) }
}

async function currentOrNone(repository: Repository, cwd: string): Promise<string | null> {
  try {
    return await currentBranch(repository, cwd)
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_HEAD_DETACHED') return null
    throw error
  }
}
