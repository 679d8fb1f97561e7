// Git objects for an answer and nothing else. A dashboard asks for a diffstat every few seconds: what git writes for it
// would fill the person's repository.

import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import type { Repository } from '../../store/repository.ts'

/** `work` sees the whole repository; the objects that it writes are gone afterwards. */
export const withDrafts = <T>(
  repository: Repository,
  work: (drafting: Repository) => Promise<T>,
): Promise<T> =>
  inScratchDirectory(repository.paths.dir, 'drafts', (dir) =>
    work({ ...repository, git: repository.git.drafting(dir) }),
  )
