// Fills an empty work tree, and its index with what was staged.

import type { Git } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'

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
