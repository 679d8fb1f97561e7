// What differs between a tree and its index, found by one `git status` instead of hashing every file. Nested
// repositories are not looked into, whatever a configuration says.

import type { Git } from '../../../doors/effects.ts'
import { nullUnlessStuck } from '../../../doors/git/git.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { readTextIfThere } from '../../../doors/system/files.ts'
import { isMarkerPath } from '../../../model/markers.ts'
import { rawFields } from '../../../model/raw-bytes.ts'

/** All paths raw; directories without a slash at the end. */
export interface Changes {
  /** Edited, deleted and untracked files. */
  readonly files: readonly string[]
  /** Those of `files` that the index does not name. */
  readonly untracked: readonly string[]
  /** Untracked repositories. */
  readonly nested: readonly string[]
  readonly has_ignored: boolean
  readonly ignored_directories: readonly string[]
}

const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=all',
  '--ignored=matching',
  '--no-renames',
  '--ignore-submodules=all',
] as const

export interface SeenChanges extends Changes {
  /**
   * Whether files may have the content that the index notes and other times: they were touched, or written anew.
   */
  readonly restless: boolean
}

/** null where git could not look everywhere, or there is a conflict. `trace` is the path of a file that git will make. */
export async function lookAtChanges(git: Git, trace: string): Promise<SeenChanges | null> {
  const env = { GIT_TRACE2_EVENT: trace, GIT_TRACE2_EVENT_NESTING: '10' }
  const looked = await git.run([...PRIVATE_INDEX, ...STATUS], { env }).catch(nullUnlessStuck)
  if (looked === null || looked.stderr !== '') return null
  const entries = rawFields(looked.stdout)
  const changes = sortStatus(entries)
  return changes && { ...changes, restless: isRestless(entries, readTextIfThere(trace) ?? '') }
}

/**
 * git tells how many files it has read because their times differ. Those that differ in content too are in the list. If
 * it does not tell, there may be others.
 */
function isRestless(entries: readonly string[], trace: string): boolean {
  const own = /"sid":"[^"/]*"/
  const read = trace
    .split('\n')
    .filter((line) => own.test(line))
    .flatMap((line) => /"key":"refresh\/sum_scan","value":"(\d+)"/.exec(line)?.[1] ?? [])
  const listed = entries.filter((entry) => /^.[MTA]/.test(entry)).length
  return read.length === 0 || read.reduce((sum, found) => sum + Number(found), 0) !== listed
}

const UNMERGED = /^(DD|AU|UD|UA|DU|AA|UU)/

/** Pure. Entries are `XY path`: X the index against HEAD, Y the tree against the index. null: there is a conflict. */
export function sortStatus(entries: readonly string[]): Changes | null {
  if (entries.some((entry) => UNMERGED.test(entry))) return null
  const theirs = entries.filter((entry) => !isMarkerPath(entry.slice(3)))
  const pathsOf = (fits: (entry: string) => boolean): string[] =>
    theirs.filter(fits).map((entry) => entry.slice(3))
  const ignored = pathsOf((entry) => entry.startsWith('!!'))
  const isFile = (path: string): boolean => !path.endsWith('/')
  const changed = pathsOf((entry) => entry.charAt(1) !== ' ' && entry.charAt(1) !== '!')
  return {
    files: changed.filter(isFile),
    untracked: pathsOf((entry) => entry.startsWith('??')).filter(isFile),
    nested: changed.filter((path) => path.endsWith('/')).map(withoutSlash),
    has_ignored: ignored.length > 0,
    ignored_directories: ignored.filter((path) => path.endsWith('/')).map(withoutSlash),
  }
}

const withoutSlash = (path: string): string => path.slice(0, -1)
