// Fills an empty work tree, and its index with what was staged.

import type { Git } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { listEntries } from '../../../doors/git/list-entries.ts'
import { rawInput } from '../../../model/raw-bytes.ts'

/** Arguments for every git that writes a tree of ours. */
export const FILL = [...PRIVATE_INDEX, '-c', 'checkout.workers=2'] as const

export const writeAll = (git: Git, tree: string) => git.run([...FILL, 'read-tree', '--reset', '-u', tree])

/** Sets the index alone; what it knows of files that stay the same is kept. */
export const stage = (git: Git, tree: string) => git.run([...FILL, 'read-tree', '--reset', tree])

/**
 * Has git note the times of files that are as the index says. It ends at one whose filter fails. Without
 * --ignore-submodules it would run `git status` in nested repositories.
 */
export const refreshIndex = (git: Git) =>
  git.run([...FILL, 'update-index', '-q', '--ignore-submodules', '--refresh'], { answers: [1, 128] })

/**
 * For files that were written after git wrote them: git would take one for changed because of its size alone, and not
 * look at what it holds. `index` is the tree that the index was just read from; paths are raw.
 */
export async function noteTimesAnew(
  git: Git,
  { store, index, paths }: { readonly store: Git; readonly index: string; readonly paths: readonly string[] },
): Promise<void> {
  const input = rawInput(await listEntries(store, index, paths))
  await git.run([...PRIVATE_INDEX, 'update-index', '-z', '--index-info'], { input })
  await refreshIndex(git)
}
