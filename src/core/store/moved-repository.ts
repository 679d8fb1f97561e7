// Whether a repository, or the data directory, lies elsewhere than its records say. Then every verb but doctor refuses:
// to the records, all trees would look as if they were gone, and somebody would clear away what only moved.

import { statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { listNames, lstatIfThere, readTextIfThere, realPathIfThere } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'
import { isWithin } from '../model/path-safety.ts'
import { type RepoRecord, repoRecordSchema } from '../model/repo.ts'
import { repoPaths } from './paths.ts'
import { readRecord } from './record-file.ts'

/** Where a repository and its records are now. Real paths. */
export interface RepositoryPlace {
  readonly data_dir: string
  readonly common_dir: string
  readonly repo_id: string
}

/** The records of a repository that was elsewhere, or whose records were. */
export interface RepositoryMove {
  /** As `repo.json` has it. */
  readonly record: RepoRecord
  /** The directory of its records, as it lies now. */
  readonly dir: string
  /** The same directory as the records name it. */
  readonly recorded_dir: string
}

export interface Misplaced {
  readonly message: string
  readonly hint: string
  /** null where it is not proved that these are the records of this repository. */
  readonly move: RepositoryMove | null
}

/** null where all is where its record says. `known` is the record at the place; null if there is none. */
export function findMisplaced(place: RepositoryPlace, known: RepoRecord | null): Misplaced | null {
  if (known === null) return findMovedHere(place)
  const recorded = known.data_dir ?? guessDataDir(place) ?? place.data_dir
  const move = {
    record: known,
    dir: dirOf(place),
    recorded_dir: repoPaths(recorded, known.repo_id).dir,
  }
  if (known.repo_id !== place.repo_id) return movedFrom(move)
  if (recorded !== place.data_dir) return dataWasMoved(place, recorded, move)
  return isSameRepository(place, known) ? null : anotherRepository(place)
}

/** Tells the directory from whatever may be put in its place: a device gives its numbers again, but not at the same time. */
export function markOf(directory: string): string | null {
  const there = statSync(directory, { throwIfNoEntry: false })
  return there === undefined ? null : `${there.ino} ${Math.floor(there.birthtimeMs)}`
}

export const misplacedError = ({ message, hint }: Misplaced): AgencyError =>
  new AgencyError('E_REPOSITORY_MOVED', message, { hint })

const dirOf = ({ data_dir, repo_id }: RepositoryPlace): string => repoPaths(data_dir, repo_id).dir

const FIX = 'agency doctor --fix brings its worktrees and agents along'

const movedFrom = (move: RepositoryMove): Misplaced => ({
  message: `this repository was at ${move.record.root} when it was last used; its worktrees and agents are known there`,
  hint: FIX,
  move,
})

function dataWasMoved(place: RepositoryPlace, recorded: string, move: RepositoryMove): Misplaced {
  const old = readTextIfThere(repoPaths(recorded, place.repo_id).record)
  const isCopy = old !== null && realPathIfThere(recorded) !== place.data_dir
  return {
    message: isCopy
      ? `${place.data_dir} is a copy of ${recorded}, which is still there and has the trees of this repository`
      : `the data directory was at ${recorded} when it was last used`,
    hint: isCopy ? `AGENCY_DATA_DIR=${recorded}` : FIX,
    move: isCopy ? null : move,
  }
}

const anotherRepository = (place: RepositoryPlace): Misplaced => ({
  message: `another repository lies at ${place.common_dir} than the one that agency knows there: none of its worktrees is this one's`,
  hint: `if that one was moved, type there: agency doctor --fix; if it is gone for good: mv ${dirOf(place)} SOMEWHERE`,
  move: null,
})

/** Records whose repository is no longer where it was, and whose trees this repository has registered. */
function findMovedHere(place: RepositoryPlace): Misplaced | null {
  const reposDir = dirname(dirOf(place))
  const mark = markOf(place.common_dir)
  for (const name of listNames(reposDir)) {
    const record = readIfWhole(join(reposDir, name, 'repo.json'))
    if (record === null || record.repo_id !== name || name === place.repo_id) continue
    const move = {
      record,
      dir: join(reposDir, name),
      recorded_dir: repoPaths(record.data_dir ?? place.data_dir, name).dir,
    }
    const isItself = record.common_dir_mark !== undefined && record.common_dir_mark === mark
    const dirs = [move.dir, move.recorded_dir]
    const names = treesIn(place.common_dir, dirs, record.git_common_dir)
    // After a copy, both repositories have the trees registered.
    const stillThere =
      names.length === 0
        ? markOf(record.git_common_dir) !== null
        : treesIn(record.git_common_dir, dirs).length > 0
    if ((isItself || names.length > 0) && !stillThere) return movedFrom(move)
  }
  return null
}

/** Names in `.git/worktrees` whose trees lie in one of these directories. */
function treesIn(commonDir: string, dirs: readonly string[], formerCommonDir = commonDir): string[] {
  const root = join(commonDir, 'worktrees')
  return listNames(root).filter((name) => {
    const tree = registeredTree(join(root, name), join(formerCommonDir, 'worktrees', name))
    return tree !== null && dirs.some((dir) => isWithin(tree, dir))
  })
}

/** git may have noted it from where the administration was; `former` is that place. Path of the tree's `.git`. */
export function registeredTree(adminDir: string, former: string): string | null {
  const path = join(adminDir, 'gitdir')
  if (lstatIfThere(path)?.isFile() !== true) return null
  const noted = readTextIfThere(path)?.replace(/\n$/, '') ?? ''
  if (noted === '') return null
  return isAbsolute(noted) ? noted : resolve(former, noted)
}

/** Nothing is asked as long as the directory is the very same. A clone or a backup in its place is known by what it has. */
function isSameRepository(place: RepositoryPlace, known: RepoRecord): boolean {
  const { common_dir } = place
  if (known.common_dir_mark === undefined || known.common_dir_mark === markOf(common_dir)) return true
  const { worktreesDir, invocationsDir, dir } = repoPaths(place.data_dir, place.repo_id)
  const isEmpty = listNames(worktreesDir).length + listNames(invocationsDir).length === 0
  return isEmpty || treesIn(common_dir, [dir]).length > 0 || hasOurRefs(common_dir)
}

function hasOurRefs(commonDir: string): boolean {
  const loose = ['refs/agency', 'refs/heads/agency', 'reftable'].map((name) => join(commonDir, name))
  if (loose.some((path) => lstatIfThere(path) !== null)) return true
  return / refs\/(heads\/)?agency\//.test(readTextIfThere(join(commonDir, 'packed-refs')) ?? '')
}

/** Records of before did not say where they lay; those of the trees did. */
function guessDataDir(place: RepositoryPlace): string | null {
  const { worktreesDir } = repoPaths(place.data_dir, place.repo_id)
  for (const id of listNames(worktreesDir)) {
    const ending = `/repos/${place.repo_id}/worktrees/${id}/tree`
    const tree = /"tree_path": "([^"\\]+)"/.exec(
      readTextIfThere(join(worktreesDir, id, 'meta.json')) ?? '',
    )?.[1]
    if (tree?.endsWith(ending)) return tree.slice(0, -ending.length)
  }
  return null
}

function readIfWhole(path: string): RepoRecord | null {
  try {
    return readRecord(path, repoRecordSchema)
  } catch (error) {
    if (error instanceof AgencyError) return null
    throw error
  }
}
