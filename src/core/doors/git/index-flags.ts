// The flags by which an index tells git not to look at a file: assumed unchanged (`update-index --assume-unchanged`) and
// left out (`--skip-worktree`, sparse checkouts). git refuses to bring such an entry to another state, so they are
// cleared in a private index, and set again in the one that comes after it.

import { rawFields, rawInput } from '../../model/raw-bytes.ts'
import type { Git } from '../effects.ts'
import { statAt } from '../system/raw-paths.ts'
import { findOddities, PRIVATE_INDEX } from './index-oddities.ts'

/** Raw paths. */
export interface IndexFlags {
  readonly assumed: readonly string[]
  readonly left_out: readonly string[]
}

/**
 * Clears them in the index that git is bound to, but for files that are left out and are not there: that is what the
 * flag is for. Returns all that were set.
 */
export async function clearFlags(git: Git, tree: string): Promise<IndexFlags> {
  const listed = await git.run([...PRIVATE_INDEX, 'ls-files', '-s', '-v', '-z'], { answers: [128] })
  const odd = listed.exitCode === 0 ? findOddities(listed.stdout) : []
  const flagged = (isSet: (tag: string) => boolean) =>
    odd.filter(({ tag }) => isSet(tag)).map(({ path }) => path)
  const assumed = flagged((tag) => tag !== tag.toUpperCase())
  const left_out = flagged((tag) => tag.toUpperCase() === 'S')
  await setFlag(git, '--no-assume-unchanged', assumed)
  await setFlag(
    git,
    '--no-skip-worktree',
    left_out.filter((path) => statAt(tree, path) !== null),
  )
  return { assumed, left_out }
}

/** Sets them where the index still has the path. */
export async function putFlagsBack(git: Git, { assumed, left_out }: IndexFlags): Promise<void> {
  if (assumed.length + left_out.length === 0) return
  const known = new Set(rawFields((await git.run([...PRIVATE_INDEX, 'ls-files', '-z'])).stdout))
  const isKnown = (path: string): boolean => known.has(path)
  await setFlag(git, '--assume-unchanged', assumed.filter(isKnown))
  await setFlag(git, '--skip-worktree', left_out.filter(isKnown))
}

async function setFlag(git: Git, name: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await git.run([...PRIVATE_INDEX, 'update-index', name, '-z', '--stdin'], { input: rawInput(paths) })
}
