// Git objects that are needed for an answer and for nothing else. A dashboard asks for a diffstat every few seconds,
// and what git writes for that would fill the person's repository.

import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import type { Repository } from '../../store/repository.ts'

/** `work` sees the whole repository. The objects that it writes are deleted afterwards. */
export const withDrafts = <T>(
  repository: Repository,
  work: (drafting: Repository) => Promise<T>,
): Promise<T> =>
  inScratchDirectory(repository.paths.dir, 'drafts', (dir) =>
    work({ ...repository, git: repository.git.drafting(dir) }),
  )
