// Keeps what a look at a clean tree saw: an index of ours in which git has noted the times of every file and directory.
// The next look only asks whether those times have changed, which costs half. A tree that is not clean is looked at as
// usual.

import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Git } from '../../../doors/effects.ts'
import { nullUnlessStuck } from '../../../doors/git/git.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { type Scratch, withEmptyScratch, withScratchIndex } from '../../../doors/git/scratch-index.ts'
import { linkOrNot } from '../../../doors/system/claim-file.ts'
import { stampOf } from '../../../doors/system/file-stamp.ts'
import { DIR_MODE, lstatIfThere, readTextIfRegular, writeAtomic } from '../../../doors/system/files.ts'
import { INDEX_BOUNDS, oddityAt, RECORD_BOUNDS } from '../../../doors/system/regular-file.ts'
import { readPlainIndex } from '../../../model/index-file.ts'
import { rawFields, showRaw } from '../../../model/raw-bytes.ts'
import { readFilled } from '../make/filled-stamp.ts'
import type { CaptureRequest } from './describe-capture.ts'
import { findTouched, listTouched } from './find-touched.ts'
import { findVerbatim } from './find-verbatim.ts'
import { type Changes, lookAtChanges, sortStatus } from './look-at-changes.ts'
import { findSpecialFiles } from './special-files.ts'
import { writeTree } from './write-state.ts'

/** Bytes of the tree's index. For a smaller tree a fresh look is as quick as reading a kept one. */
const WORTHWHILE = 1 << 20

/**
 * With the untracked cache git does not read a directory again whose times have not changed. Believed only in an index
 * of ours.
 */
const STATUS = [
  ...PRIVATE_INDEX,
  '-c',
  'core.untrackedCache=true',
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=normal',
  '--no-renames',
  '--ignore-submodules=all',
] as const

const NOTING = { GIT_OPTIONAL_LOCKS: '1', GIT_FORCE_UNTRACKED_CACHE: '1' }

const lookSchema = z.object({
  /** Of the tree's own index. */
  index: z.string(),
  has_ignored: z.boolean(),
})

const indexOf = (looked: string): string => join(looked, 'index')
const lookNote = (looked: string): string => join(looked, 'look.json')

/** Looks at the tree and keeps what it saw under `looked`, if that is worth it. Takes as long as two looks. */
export async function keepLook(request: CaptureRequest, looked: string): Promise<void> {
  dropLook(looked)
  const own = join(request.where.git_dir, 'index')
  const said = request.heads.said()
  if (said === null || (lstatIfThere(own)?.size ?? 0) < WORTHWHILE) return
  const index = stampOf(own)
  await withScratchIndex({ ...request, head: said }, async (scratch) => {
    const { git, dir, readIndex } = scratch
    if (!isOrdinaryIndex(readIndex(), request.fallbackHead.length / 2)) return
    if (!(await isStillClean(git))) return
    // Looked at only now: from here on, a change differs from the times that git has just noted.
    const changes = await lookAtChanges(git, join(dir, 'trace'))
    if (!isClean(changes) || index !== stampOf(own)) return
    if (!(await comesBackWhole(request, scratch, changes))) return
    mkdirSync(looked, { recursive: true, mode: DIR_MODE })
    renameSync(join(dir, 'index'), indexOf(looked))
    await writeAtomic(lookNote(looked), JSON.stringify({ index, has_ignored: changes.has_ignored }))
  })
}

/** Whether HEAD would bring back each byte and each mode of this clean tree. */
async function comesBackWhole(
  { where, fallbackHead }: CaptureRequest,
  scratch: Scratch,
  { ignored_directories }: Changes,
): Promise<boolean> {
  const { git, readIndex } = scratch
  const tree = where.tree_path
  const skip = new Set(ignored_directories.map(showRaw))
  const { hidden, modes } = await findSpecialFiles(tree, skip)
  if (hidden.length > 0) return false
  const index = readPlainIndex(readIndex() ?? Buffer.alloc(0), fallbackHead.length / 2, readFilled(tree))
  const state_tree = await writeTree(git)
  const known = index === null ? null : await listTouched(tree, index)
  const touched = await findTouched({ git, base: fallbackHead, state_tree, known, excluded: [] })
  const request = { scratch, tree, state_tree, touched, directories: modes, nested: [], unheld: [] }
  return (await findVerbatim(request)) === null
}

export const dropLook = (looked: string): void => rmSync(looked, { recursive: true, force: true })

function isOrdinaryIndex(bytes: Buffer | null, objectSize: number): boolean {
  const index = bytes === null ? null : readPlainIndex(bytes, objectSize)
  return index !== null && !index.announced && index.nested.length === 0
}

const isClean = (changes: Changes | null): changes is Changes =>
  changes !== null && changes.files.length + changes.nested.length === 0

export interface KeptLook {
  /** Path of the index. */
  readonly index: string
  /** What HEAD says now. */
  readonly said: string
  readonly has_ignored: boolean
}

/** The kept look, if it was made after the run's end and nobody has written the tree's index since. */
export function findLook({ where, heads, looked }: CaptureRequest): KeptLook | null {
  if (looked === undefined || looked.since === null) return null
  const kept = readLook(looked.dir)
  const said = heads.said()
  if (kept === null || said === null || kept.index !== stampOf(join(where.git_dir, 'index'))) return null
  const index = indexOf(looked.dir)
  // The change time, because nobody can set it.
  const changed = [index, lookNote(looked.dir)].map((path) => lstatIfThere(path)?.ctimeMs ?? 0)
  return Math.min(...changed) < looked.since ? null : { index, said, has_ignored: kept.has_ignored }
}

/** Whether nothing at all has changed since the look was kept, so that the tree is still clean. */
export const stillHolds = (request: CaptureRequest, { index: kept, said }: KeptLook): Promise<boolean> =>
  withEmptyScratch({ ...request, head: said }, async ({ dir, bind }) => {
    const index = join(dir, 'index')
    // A copy would have other times than those by which git knows what it saw.
    if (linkOrNot(kept, index) !== 'linked' || oddityAt(index, INDEX_BOUNDS) !== null) return false
    const before = statSync(index).ino
    // git writes a new index where it had to read a file or a directory again.
    return (await isStillClean(bind(request.where.tree_path))) && statSync(index).ino === before
  })

/** Notes in the index, as a side effect, the times that git sees. */
async function isStillClean(git: Git): Promise<boolean> {
  const looked = await git.run(STATUS, { env: NOTING }).catch(nullUnlessStuck)
  if (looked === null || looked.stderr !== '') return false
  const entries = rawFields(looked.stdout)
  return isClean(sortStatus(entries)) && entries.every((entry) => entry.startsWith('?'))
}

function readLook(looked: string): z.infer<typeof lookSchema> | null {
  const text = readTextIfRegular(lookNote(looked), RECORD_BOUNDS)
  if (text === null) return null
  try {
    return lookSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
