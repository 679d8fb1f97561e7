// What git notes in a work tree's own directory while a merge, rebase, pick or bisect is on. A tree that is brought to
// another state is in none of them; the notes wait beside, so that undo brings them back.

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

/** Left by a git that was killed. */
const LOCKS = ['index.lock', 'HEAD.lock'] as const

/** By the operation that moves them. */
const asideOfGitDir = (gitDir: string, operation: string): Aside => ({
  root: gitDir,
  dir: join(gitDir, 'agency-set-aside', operation),
})

/** The caller has proved that it is a worktree's directory of ours, and that no git is at work in it. */
export function endStatesInProgress(gitDir: string, operation: string): void {
  setAside(asideOfGitDir(gitDir, operation), [...NOTES, ...bisectRefs(gitDir)])
  for (const lock of LOCKS) rmSync(join(gitDir, lock), { force: true })
}

export const resumeStatesInProgress = (gitDir: string, operation: string): void =>
  bringBack(asideOfGitDir(gitDir, operation))

/** The way to them could be a link that leads elsewhere. */
const bisectRefs = (gitDir: string): string[] =>
  lstatIfThere(join(gitDir, 'refs'))?.isDirectory() === true ? ['refs/bisect'] : []
