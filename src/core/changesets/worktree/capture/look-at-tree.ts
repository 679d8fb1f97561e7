// All looks at a tree that a quick capture needs. They go on at the same time, except where nobody has written the index
// since git filled the tree: git would read, at every look, the content of each file that it wrote in the last second
// before, because it compares times by the second only. We compare them by the nanosecond, so we look first, and git need
// not read what we have seen to be untouched.

import { lstatSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from '../../../doors/git/scratch-index.ts'
import {
  type ChangeTime,
  type LookSince,
  type PlainIndex,
  readPlainIndex,
} from '../../../model/index-file.ts'
import { readFilled } from '../make/filled-stamp.ts'
import type { CaptureRequest } from './describe-capture.ts'
import { listTouched } from './find-touched.ts'
import { lookAtChanges, type SeenChanges } from './look-at-changes.ts'
import { beginFindingSpecialFiles, type FindSpecialFiles } from './special-files.ts'

export interface SeenTree extends SeenByUs {
  /** null as in `lookAtChanges`. */
  readonly changes: SeenChanges | null
}

interface SeenByUs {
  readonly finding: FindSpecialFiles
  /** null as in `readPlainIndex`. */
  readonly index: PlainIndex | null
  /** Raw paths, as in `listTouched`. */
  readonly touched: readonly string[]
}

/** `bytes` are those of the private index, which git has not written yet. */
export async function lookAtTree(
  request: CaptureRequest,
  { git, dir }: Pick<Scratch, 'git' | 'dir'>,
  bytes: Buffer,
): Promise<SeenTree> {
  const filled = readFilled(request.where.tree_path)
  const own = join(dir, 'index')
  const lookByGit = () => lookAtChanges(git, join(dir, 'trace'))
  const close_from = filled === null ? null : readInVainFrom(own, filled)
  if (filled === null || close_from === null) {
    const [changes, seen] = await Promise.all([lookByGit(), lookForTouched(request, bytes, filled)])
    return { changes, ...seen }
  }
  const seen = await lookForTouched(request, bytes, { ...filled, close_from })
  if (seen.index !== null && seen.touched.length === 0) spareReading(own, filled)
  return { changes: await lookByGit(), ...seen }
}

async function lookForTouched(
  { where: { tree_path: tree }, fallbackHead }: CaptureRequest,
  bytes: Buffer,
  filled: LookSince | null,
): Promise<SeenByUs> {
  const finding = beginFindingSpecialFiles(tree)
  const index = readPlainIndex(bytes, fallbackHead.length / 2, filled)
  return { finding, index, touched: await listTouched(tree, index) }
}

/**
 * The second from which on git would read each file, if the tree's index was written no later than the second in which
 * the tree was filled, and that second is over by the clock of the file system: from then on git itself sees each
 * change. Else null. `index` is our copy, made for this capture, which keeps the time of the tree's own.
 */
function readInVainFrom(index: string, filled: ChangeTime): number | null {
  const { mtimeNs, ctimeNs } = lstatSync(index, { bigint: true })
  const end = (BigInt(filled.seconds) + 1n) * SECOND
  return mtimeNs < end && ctimeNs >= end ? Number(mtimeNs / SECOND) : null
}

const SECOND = 1_000_000_000n

/**
 * git reads a file whose time is not older than its index. So the index gets the first time after that second. The
 * caller has seen that no file was touched: each of these still has the time, by the nanosecond, that git noted before
 * the stamp, and whatever is written later gets a later second.
 */
function spareReading(index: string, { seconds }: ChangeTime): void {
  utimesSync(index, seconds + 1, seconds + 1)
}
