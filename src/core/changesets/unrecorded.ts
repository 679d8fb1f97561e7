// What lies in the place of a sandbox without a record: its maker was killed, or an agent deleted the record. Nobody
// knows of which kind the sandbox was.

import { renameSync } from 'node:fs'
import { adminDirsOf } from '../doors/git/linked-worktrees.ts'
import type { Repository } from '../store/repository.ts'
import { knownPath } from './location.ts'
import { linkedAdministration } from './worktree/linked-administration.ts'

/** Moves all of it to another place on the same disk; git forgets the tree. */
export function moveUnrecorded(repository: Repository, id: string, to: string): void {
  renameSync(repository.paths.invocation(id).sandboxDir, to)
  forgetUnrecorded(repository, id)
}

/** What nothing else has goes to the trash. */
export function forgetUnrecorded(repository: Repository, id: string): void {
  const tree_path = knownPath(repository.paths.invocation(id).tree)
  const { forget } = linkedAdministration(repository)
  for (const git_dir of adminDirsOf(repository.git.commonDir, tree_path)) forget({ tree_path, git_dir })
}
