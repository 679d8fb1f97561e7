// What lies where a sandbox would be that no record tells of: its maker was killed, or an agent deleted the record. Of
// which kind it was nobody knows.

import { renameSync, rmSync } from 'node:fs'
import { adminDirsOf } from '../doors/git/linked-worktrees.ts'
import type { Repository } from '../store/repository.ts'
import { openPath } from './location.ts'

/** The whole of it to another place on the same disk; git forgets the tree. */
export function moveUnrecorded(repository: Repository, id: string, to: string): void {
  const known = adminDirs(repository, id)
  renameSync(repository.paths.invocation(id).sandboxDir, to)
  for (const dir of known) rmSync(dir, { recursive: true, force: true })
}

export function forgetUnrecorded(repository: Repository, id: string): void {
  for (const dir of adminDirs(repository, id)) rmSync(dir, { recursive: true, force: true })
}

const adminDirs = ({ git, paths }: Repository, id: string): string[] =>
  adminDirsOf(git.commonDir, openPath(paths.invocation(id).tree))
