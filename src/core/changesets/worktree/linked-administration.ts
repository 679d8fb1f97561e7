// The administration of a linked git worktree: a directory in the repository's `.git/worktrees`, and branches that are
// the repository's own.

import { dirname, join } from 'node:path'
import type { RepositoryGit, TreeLocation } from '../../doors/effects.ts'
import {
  findGitDir,
  forgetWorktree,
  gitDirNamedBy,
  isGitDirOf,
  linkedTreeOf,
} from '../../doors/git/linked-worktrees.ts'
import { linkedHeads } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { writeAtomic } from '../../doors/system/files.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { KeptState } from '../../model/kept-state.ts'
import { notOurs } from '../../model/path-safety.ts'
import type { Administration } from '../administration.ts'

export const linkedAdministration = (git: RepositoryGit): Administration => ({
  git,
  refsDir: () => git.commonDir,
  heads: (where, fallbackHead) => linkedHeads({ git, where, fallbackHead }),
  add: (treePath, head) => addDetached(git, treePath, head),
  find: (where) => findGitDir(git.commonDir, where),
  isOf: (where) => isGitDirOf(git.commonDir, where),
  forget: (where) => forgetWorktree(git.commonDir, where),
  setHead: (where, kept) => setLinkedHead(git, where, kept),
  packUp: () => {},
  unpack: () => true,
  salvage: async () => {},
  bringHome: async () => true,
  ownWork: () => [],
})

/** Its directory in `.git/worktrees`, whose name git chooses. */
async function addDetached(git: RepositoryGit, treePath: string, head: ObjectId): Promise<string> {
  await git.real.run(['worktree', 'add', '-q', '-f', '--detach', '--no-checkout', treePath, head])
  const gitDir = gitDirNamedBy(treePath) ?? ''
  if (dirname(gitDir) !== join(git.commonDir, 'worktrees') || linkedTreeOf(gitDir) !== treePath) {
    throw notOurs(gitDir, 'git made another worktree than was asked for')
  }
  return gitDir
}

async function setLinkedHead(
  { store }: RepositoryGit,
  { git_dir }: TreeLocation,
  { head, head_ref, unborn }: KeptState,
): Promise<string[]> {
  const path = join(git_dir, 'HEAD')
  if (head_ref !== null && (await readTip(store, head_ref)) === (unborn ? null : head)) {
    await writeAtomic(path, `ref: ${head_ref}\n`)
    return []
  }
  await writeAtomic(path, `${head}\n`)
  return head_ref === null ? [] : [`${head_ref} is no longer where it was, so HEAD is detached at ${head}`]
}
