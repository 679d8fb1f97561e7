// The administration of a linked git worktree: a directory in the repository's `.git/worktrees`, and branches that are
// the repository's own.

import { basename, dirname, join } from 'node:path'
import type { RepositoryGit, TreeLocation } from '../../doors/effects.ts'
import { listBeyondPlain, PLAIN_LINKED } from '../../doors/git/beyond-plain.ts'
import { reclaimGitDir } from '../../doors/git/damaged-notes.ts'
import {
  findGitDir,
  forgetWorktree,
  gitDirNamedBy,
  isGitDirOf,
  linkedTreeOf,
} from '../../doors/git/linked-worktrees.ts'
import { linkedHeads } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { lstatIfThere, writeAtomic } from '../../doors/system/files.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { KeptState } from '../../model/kept-state.ts'
import { notOurs } from '../../model/path-safety.ts'
import type { Repository } from '../../store/repository.ts'
import { keptTreePath } from '../../store/trash.ts'
import type { Administration } from '../administration.ts'
import { isRealDirectory } from '../presence.ts'
import { packedGitDir, packGitDir, unpackGitDir } from './remove/packed-git-dir.ts'

type Owner = Pick<Repository, 'git' | 'paths' | 'effects'>

export function linkedAdministration(owner: Owner): Administration {
  const { git } = owner
  const { commonDir } = git
  const find = (where: TreeLocation): string => findGitDir(commonDir, where)
  const unpack = (where: TreeLocation): boolean => unpackGitDir(commonDir, where)
  /** What the tree's git directory alone has goes to the trash. */
  const putAwayOwn = (where: TreeLocation): void => {
    if (listOwnState(commonDir, where).length > 0) putAway(owner, where)
  }
  const forget = (where: TreeLocation): void => {
    putAwayOwn(where)
    forgetWorktree(commonDir, where)
  }
  return {
    git,
    refsDir: () => commonDir,
    heads: (where, fallbackHead) => {
      // A kill came after packUp and before the tree was removed.
      if (lstatIfThere(where.git_dir) === null) unpack(where)
      return linkedHeads({ git, where, fallbackHead })
    },
    add: (treePath, head) => addDetached(git, treePath, head),
    find,
    isOf: (where) => isGitDirOf(commonDir, where),
    reclaim: (where) => reclaimGitDir(commonDir, where),
    forget,
    setHead: (where, kept) => setLinkedHead(git, where, kept),
    packUp: (where, kept) => kept && packGitDir(commonDir, where),
    unpack,
    packedIndex: ({ tree_path }) => join(packedGitDir(tree_path), 'index'),
    isPackedUp: (where) => !isGitDirOf(commonDir, where) && isRealDirectory(packedGitDir(where.tree_path)),
    salvage: async (where) => forget({ ...where, git_dir: find(where) }),
    bringHome: async () => true,
    ownWork: (where) => listOwnState(commonDir, where),
  }
}

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

/** As paths in the tree's `.git`. All of it where it is packed up. */
function listOwnState(commonDir: string, where: TreeLocation): string[] {
  const gitDir = findGitDir(commonDir, where)
  if (!isGitDirOf(commonDir, { ...where, git_dir: gitDir })) {
    return isRealDirectory(packedGitDir(where.tree_path)) ? ['.git'] : []
  }
  return listBeyondPlain(gitDir, PLAIN_LINKED).map((name) => (name === '.' ? '.git' : `.git/${name}`))
}

/** For a tree that somebody has deleted: its git directory waits in the trash in the way in which trees wait there. */
function putAway({ git, paths, effects }: Owner, { tree_path, git_dir }: TreeLocation): void {
  const stamp = { now: effects.clock.now(), random: effects.random() }
  const waiting = keptTreePath(paths, basename(dirname(tree_path)), stamp)
  packGitDir(git.commonDir, { tree_path, git_dir }, waiting)
}
