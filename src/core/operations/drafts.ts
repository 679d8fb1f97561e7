// Git objects for an answer and nothing else. A dashboard asks for a diffstat every few seconds: what git writes for it
// would fill the person's repository.

import { rmSync } from 'node:fs'
import { makeScratchDirectory } from '../effects/scratch-directory.ts'
import type { Repository } from '../store/repository.ts'

/** `work` sees the whole repository; the objects that it writes are gone afterwards. */
export async function withDrafts<T>(
  repository: Repository,
  work: (drafting: Repository) => Promise<T>,
): Promise<T> {
  const scratch = makeScratchDirectory(repository.paths.dir, 'drafts')
  try {
    return await work({ ...repository, git: repository.git.drafting(scratch) })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
