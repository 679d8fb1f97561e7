// Makes the tree of a state from what differs from the staged tree. Writing an index of 100,000 entries for one changed
// file costs more than finding that file. Files that git would convert are left to git.

import { randomBytes } from 'node:crypto'
import type { Git } from '../../../doors/effects.ts'
import { LOOSE } from '../../../doors/git/importer.ts'
import { storesPlainly } from '../../../doors/git/stores-plainly.ts'
import type { ObjectId } from '../../../model/ids.ts'
import { parseObjectId } from '../../../model/ids.ts'
import { formatTreeImport } from '../../../model/import-stream.ts'
import { rawOf, showRaw } from '../../../model/raw-bytes.ts'
import { type Converted, MOST_BYTES, MOST_CHANGED_PATHS, selectConverted } from './capture-by-paths.ts'
import { type LookedAt, lookAtPaths } from './look-at-paths.ts'
import { type ReadFile, readContent } from './read-content.ts'

export interface ImportRequest {
  /** On the work tree. */
  readonly git: Git
  readonly store: Git
  /** The work tree's path. */
  readonly tree: string
  readonly staged: ObjectId
  /** Raw: edited, deleted and untracked files. */
  readonly files: readonly string[]
  /** Raw: to be taken out. */
  readonly dropped: readonly string[]
  /** Raw. */
  readonly nested: readonly string[]
}

/** null where it cannot be made this way. */
export async function importState(request: ImportRequest): Promise<ObjectId | null> {
  const { git, staged, files, dropped } = request
  if (files.length + dropped.length === 0) return staged
  if (Math.max(files.length, dropped.length) > MOST_CHANGED_PATHS || ![...files, ...dropped].every(isText))
    return null
  const looked = lookAtFiles(request)
  if (looked === null) return null
  const present = [...looked.present.keys()]
  const [plain, converted] = await Promise.all([storesPlainly(git), selectConverted(git, present)])
  const read = plain && converted !== null ? readAll(request, looked, converted) : null
  return read === null ? null : writeImport(request, [...looked.gone, ...dropped.map(showRaw)], read)
}

const isText = (path: string): boolean => rawOf(showRaw(path)) === path

/** null where a path is a directory by now, or something that only git can judge. */
function lookAtFiles({ tree, files, nested }: ImportRequest): LookedAt | null {
  const paths = new Set(files.map(showRaw))
  const looked = lookAtPaths({ tree, paths, apart: new Set(nested.map(showRaw)), limit: MOST_CHANGED_PATHS })
  return looked?.gone.every((path) => paths.has(path)) === true && looked.gone.length === paths.size
    ? looked
    : null
}

/** null where there are too many bytes, a file has gone, or git would convert its line ends. */
function readAll(
  { tree, staged }: ImportRequest,
  { present }: LookedAt,
  converted: Converted,
): ReadFile[] | null {
  const sizes = [...present.values()].map(({ size }) => size)
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) return null
  try {
    const files = [...present].map(([path, there]) =>
      readContent({ tree, path, there, objectSize: staged.length / 2 }),
    )
    return files.some(({ path, content }) => converted.has(rawOf(path)) && content.includes('\r\n'))
      ? null
      : files
  } catch {
    return null
  }
}

/** Imports onto a ref that is never made. null where git could not. */
async function writeImport(
  { store, staged }: ImportRequest,
  deleted: readonly string[],
  files: readonly ReadFile[],
): Promise<ObjectId | null> {
  const ref = `refs/agency/scratch/${randomBytes(8).toString('hex')}`
  const input = formatTreeImport({ ref, tree: staged, deleted, files })
  const imported = await store.run([...LOOSE, 'fast-import', '--quiet', '--depth=0'], {
    input,
    answers: [1, 128],
  })
  if (imported.exitCode !== 0) return null
  return parseObjectId(imported.stdout.toString('latin1').split(/[ \t]/)[2] ?? '')
}
