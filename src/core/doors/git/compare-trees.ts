// Compares two trees by the repository's objects alone, so that nobody's diff driver is run.

import { formatDiffstat } from '../../model/change.ts'
import type { ObjectId } from '../../model/ids.ts'
import {
  ALL_COMMITTED,
  parseRawDiff,
  type RawChange,
  type RawDiff,
  toFileChanges,
} from '../../model/raw-diff.ts'
import type { Git, RepositoryGit } from '../effects.ts'

const RAW_DIFF = [
  'diff-tree',
  '-r',
  '--raw',
  '--no-abbrev',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=none',
  '-z',
] as const

export interface TreeRange {
  readonly from: ObjectId
  readonly to: ObjectId
  readonly ignore_whitespace?: boolean
}

/** Lines are counted with the algorithm that makes the patch, so that both agree. */
const COUNTS = ['-M', '--numstat', '--diff-algorithm=histogram'] as const

/** Finds renames and counts lines. */
export async function diffWithCounts(
  store: Git,
  { from, to, ignore_whitespace }: TreeRange,
): Promise<RawDiff> {
  const space = ignore_whitespace === true ? ['--ignore-all-space'] : []
  return parseRawDiff((await store.run([...RAW_DIFF, ...COUNTS, ...space, from, to])).stdout)
}

/** Finds paths only. */
export const diffPaths = async (store: Git, from: ObjectId, to: ObjectId): Promise<RawDiff> =>
  parseRawDiff((await store.run([...RAW_DIFF, '--no-renames', from, to])).stdout)

export type DescribeDiff = (from: ObjectId, to: ObjectId) => Promise<string>

/**
 * Runs `work` while a git starts that will compare two commits once and answer in words. The answer throws E_GIT_FAILED
 * where an object of a changed file is missing.
 */
export async function withDiffstat<T>(store: Git, work: (describe: DescribeDiff) => Promise<T>): Promise<T> {
  const waiting = await store.converse([...RAW_DIFF, ...COUNTS, '--stdin', '--no-commit-id'])
  try {
    return await work(async (from, to) => {
      // On such a line, git compares the first commit with the second as if that were its parent.
      const { stdout } = await waiting.finish(`${to} ${from}\n`)
      return formatDiffstat(toFileChanges(parseRawDiff(stdout), ALL_COMMITTED))
    })
  } finally {
    await waiting.end()
  }
}

/** Without renames; paths are raw. */
export async function readTreeChanges(
  { git }: { readonly git: Pick<RepositoryGit, 'store'> },
  from: ObjectId,
  to: ObjectId,
): Promise<readonly RawChange[]> {
  const args = [
    'diff-tree',
    '-r',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--ignore-submodules=none',
    '-z',
    from,
    to,
  ]
  return parseRawDiff((await git.store.run(args)).stdout).changes
}
