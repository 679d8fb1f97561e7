// What lies in the place of a sandbox without a record: its maker was killed, or an agent deleted the record. Nobody
// knows of which kind the sandbox was.

import { renameSync, rmSync } from 'node:fs'
import { adminDirsOf } from '../doors/git/linked-worktrees.ts'
import type { Repository } from '../store/repository.ts'
import { knownPath } from './location.ts'

/** Moves all of it to another place on the same disk; git forgets the tree. */
export function moveUnrecorded(repository: Repository, id: string, to: string): void {
  const known = adminDirs(repository, id)
  renameSync(repository.paths.invocation(id).sandboxDir, to)
  for (const dir of known) rmSync(dir, { recursive: true, force: true })
}

export function forgetUnrecorded(repository: Repository, id: string): void {
  for (const dir of adminDirs(repository, id)) rmSync(dir, { recursive: true, force: true })
}

const adminDirs = ({ git, paths }: Repository, id: string): string[] =>
  adminDirsOf(git.commonDir, knownPath(paths.invocation(id).tree))
