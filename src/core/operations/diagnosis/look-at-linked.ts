// Looks at git's own directories of linked work trees: what an agent has broken of its own there can keep git from working
// for everybody else.

import { join } from 'node:path'
import { type LinkedTree, listLinkedTrees } from '../../changesets/linked-trees.ts'
import { type DamagedNote, findDamagedNotes, mendNote } from '../../doors/git/damaged-notes.ts'
import { isIndexForm } from '../../doors/git/index-stamp.ts'
import { isBeingWritten } from '../../doors/git/linked-notes.ts'
import { isLinkedTo } from '../../doors/git/linked-worktrees.ts'
import { readHeadFile, resolveHead } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { lockHolder } from '../../doors/git/stale-locks.ts'
import { INDEX_BOUNDS, NOTE_BOUNDS, oddityAt } from '../../doors/system/regular-file.ts'
import type { Repository } from '../../store/repository.ts'
import { type Check, fixable, problem } from './check.ts'

export async function lookAtLinked(repository: Repository): Promise<readonly Check[]> {
  const trees = listLinkedTrees(repository)
  const own = trees.filter(({ tree_path, git_dir }) => isLinkedTo(tree_path, git_dir))
  const heads = await Promise.all(own.map((tree) => lookAtHead(repository, tree)))
  return [
    ...findDamaged(repository, trees).map((note) => lookAtNote(repository, note)),
    ...heads.flat(),
    ...own.flatMap(lookAtIndex),
  ]
}

/** Paths of what is said here, so that it is not said twice. */
export const listDamagedNotes = (repository: Repository): string[] =>
  findDamaged(repository, listLinkedTrees(repository)).map(({ dir, name }) => join(dir, name))

/** Without what a git is writing just now. */
function findDamaged(repository: Repository, trees: readonly LinkedTree[]): DamagedNote<LinkedTree>[] {
  const isHeld = (dir: string): boolean => lockHolder(repository, join(dir, 'locked')) !== null
  return findDamagedNotes(repository.git.commonDir, trees).filter(
    ({ dir, name }) => !(isBeingWritten(dir, name) && isHeld(dir)),
  )
}

const isOf = (tree: LinkedTree | null): string => (tree === null ? '' : ` (of ${tree.owner})`)

function lookAtNote(
  repository: Repository,
  { dir, name, why, belongs, tree }: DamagedNote<LinkedTree>,
): Check {
  const path = join(dir, name)
  const remedy = belongs === null ? 'move it aside' : 'write it anew; what lies there is kept aside'
  return fixable({ subject: 'files', message: `${path}: ${why}${isOf(tree)}`, remedy }, () =>
    repository.locked(async () => {
      const again = findDamaged(repository, listLinkedTrees(repository)).find(
        (note) => note.dir === dir && note.name === name,
      )
      if (again === undefined) return `left ${path}: it is whole by now`
      mendNote(repository.git.commonDir, again)
      return `${belongs === null ? 'moved aside' : 'wrote anew'} ${path}`
    }),
  )
}

/** Where it was only the agent knows. Without it, git finds fault with the repository, though it goes on. */
async function lookAtHead({ git }: Repository, tree: LinkedTree): Promise<Check[]> {
  const path = join(tree.git_dir, 'HEAD')
  if (oddityAt(path, NOTE_BOUNDS) !== null) return []
  const said = readHeadFile(tree.git_dir)
  if (said !== null && (said.startsWith('ref: ') || (await resolveHead(git.store, said)) !== null)) return []
  const branch = `refs/heads/${tree.branch}`
  const there = (await readTip(git.store, branch)) !== null
  return [
    problem(
      'files',
      `${path}: it names neither a branch nor a commit${isOf(tree)}`,
      there
        ? `put it on its branch again: echo 'ref: ${branch}' > ${quote(path)}`
        : 'write the branch or the commit there that it was on',
    ),
  ]
}

/** What was staged there nobody knows. It fails `git gc` of the whole repository. */
function lookAtIndex(tree: LinkedTree): Check[] {
  const { git_dir, tree_path } = tree
  const path = join(git_dir, 'index')
  if (oddityAt(path, INDEX_BOUNDS) !== null || isIndexForm(path)) return []
  const remedy = `mv ${quote(path)} ${quote(`${path}.odd`)}; git -C ${quote(tree_path)} reset -q`
  return [problem('files', `${path}: git cannot read it${isOf(tree)}`, remedy)]
}

const quote = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`
