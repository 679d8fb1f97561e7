// What lies in the place of a sandbox without a record: its maker was killed, or an agent deleted the record. Nobody
// knows of which kind the sandbox was.

import { renameSync } from 'node:fs'
import type { TreeLocation } from '../doors/effects.ts'
import { adminDirsOf } from '../doors/git/linked-worktrees.ts'
import type { ObjectId } from '../model/ids.ts'
import type { Repository } from '../store/repository.ts'
import { knownPath } from './location.ts'
import { keepAllOfItsOwn } from './worktree/keep/keep-own-state.ts'
import { linkedAdministration } from './worktree/linked-administration.ts'

/** Moves all of it to another place on the same disk; git forgets the tree. */
export function moveUnrecorded(repository: Repository, id: string, to: string): void {
  renameSync(repository.paths.invocation(id).sandboxDir, to)
  forgetUnrecorded(repository, id)
}

/** Commits of what only git's directories of the tree name. What `head` has is not among it. */
export async function keepUnrecorded(
  repository: Repository,
  id: string,
  head: ObjectId | null,
): Promise<ObjectId[]> {
  const { git, effects } = repository
  const at = effects.clock.now()
  const commits: ObjectId[] = []
  for (const where of placesOf(repository, id)) {
    commits.push(...(await keepAllOfItsOwn({ git, where, head, at })))
  }
  return commits
}

/** What nothing else has goes to the trash. */
export function forgetUnrecorded(repository: Repository, id: string): void {
  const { forget } = linkedAdministration(repository)
  for (const where of placesOf(repository, id)) forget(where)
}

function placesOf({ paths, git }: Repository, id: string): TreeLocation[] {
  const tree_path = knownPath(paths.invocation(id).tree)
  return adminDirsOf(git.commonDir, tree_path).map((git_dir) => ({ tree_path, git_dir }))
}
