// The notes that git keeps in a work tree's own directory during a merge, rebase, pick or bisect. A tree that is
// brought to another state is in none of these, so the notes are moved aside; undo brings them back.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { type Aside, bringBack, setAside } from './set-aside.ts'

const NOTES = [
  'MERGE_HEAD',
  'MERGE_MODE',
  'MERGE_MSG',
  'MERGE_RR',
  'MERGE_AUTOSTASH',
  'AUTO_MERGE',
  'SQUASH_MSG',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'BISECT_LOG',
  'BISECT_START',
  'BISECT_NAMES',
  'BISECT_EXPECTED_REV',
  'BISECT_TERMS',
  'BISECT_RUN',
  'BISECT_HEAD',
  'BISECT_FIRST_PARENT',
  'BISECT_ANCESTORS_OK',
] as const

/** Locks that a killed git leaves. */
const LOCKS = ['index.lock', 'HEAD.lock'] as const

/** Where the notes wait: a directory named after the operation that moved them. */
const asideOfGitDir = (gitDir: string, operation: string): Aside => ({
  root: gitDir,
  dir: join(gitDir, 'agency-set-aside', operation),
})

/** The caller has proved that the directory belongs to a worktree of ours, and that no git works in it. */
export function endStatesInProgress(gitDir: string, operation: string): void {
  setAside(asideOfGitDir(gitDir, operation), [...NOTES, ...bisectRefs(gitDir)])
  dropLocks(gitDir)
}

/** The caller knows that no git works in this directory. An agent may have made directories of these names. */
export function dropLocks(gitDir: string): void {
  for (const lock of LOCKS) rmSync(join(gitDir, lock), { recursive: true, force: true })
}

export const resumeStatesInProgress = (gitDir: string, operation: string): void =>
  bringBack(asideOfGitDir(gitDir, operation))

/** Empty where the way to the refs is a link, which could lead elsewhere. */
const bisectRefs = (gitDir: string): string[] =>
  lstatIfThere(join(gitDir, 'refs'))?.isDirectory() === true ? ['refs/bisect'] : []
