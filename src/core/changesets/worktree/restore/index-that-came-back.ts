// An index that came back from the trash with its git directory holds more than what was staged: conflicts, which files
// are left out of a sparse checkout, which are only announced. It is used again where it still says what was staged.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, TreeLocation } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { copyIndex } from '../../../doors/git/scratch-index.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { INDEX_BOUNDS, oddityAt } from '../../../doors/system/regular-file.ts'
import type { KeptState } from '../../../model/kept-state.ts'

/** Uses a copy of an index of the same tree, `from`. False where there is none, or it does not say what was staged. */
export async function takeIndex(git: Git, where: TreeLocation, { from, kept }: TakenIndex): Promise<boolean> {
  const index = join(where.git_dir, 'index')
  rmSync(index, { force: true })
  if (oddityAt(from, INDEX_BOUNDS) !== null || !copyIndex(from, index)) return false
  return stillStands(git, where, kept)
}

export interface TakenIndex {
  readonly from: string
  readonly kept: KeptState
}

export async function stillStands(
  git: Git,
  { git_dir }: TreeLocation,
  { index_tree, head }: KeptState,
): Promise<boolean> {
  if (lstatIfThere(join(git_dir, 'index'))?.isFile() !== true) return false
  const unmerged = await git.run([...PRIVATE_INDEX, 'ls-files', '-u', '-z'], { answers: [128] })
  if (unmerged.exitCode !== 0) return false
  if (unmerged.stdout.length > 0) return index_tree === null
  const args = [...PRIVATE_INDEX, 'diff-index', '--cached', '--quiet', index_tree ?? head]
  return (await git.run(args, { answers: [1, 128] })).exitCode === 0
}
