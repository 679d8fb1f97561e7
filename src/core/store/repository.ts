// A git repository as agency knows it: found from a directory, remembered by its id, opened in its clean room.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Effects, RepositoryGit } from '../doors/effects.ts'
import { openCleanRoom } from '../doors/git/clean-room.ts'
import { bindGit, splitFields } from '../doors/git/git.ts'
import type { Spawner } from '../doors/spawner/spawner.ts'
import { DIR_MODE, listNames, pathExists, realPathOf, speakOurErrors } from '../doors/system/files.ts'
import { withLock } from '../doors/system/lock.ts'
import { AgencyError } from '../model/errors.ts'
import { type RepoId, repoIdSchema } from '../model/ids.ts'
import { isWithin } from '../model/path-safety.ts'
import { type RepoRecord, repoRecordSchema } from '../model/repo.ts'
import { discoverCommonDir } from './discover.ts'
import {
  findMisplaced,
  type Misplaced,
  markOf,
  misplacedError,
  type RepositoryPlace,
} from './moved-repository.ts'
import { type RepoPaths, repoPaths } from './paths.ts'
import { readRecord, writeRecord } from './record-file.ts'

/** What every operation works on. */
export interface Repository {
  readonly record: RepoRecord
  readonly paths: RepoPaths
  readonly git: RepositoryGit
  readonly effects: Effects
  /** Runs `work` under the repository's lock. Not reentrant. */
  locked<T>(work: () => Promise<T>): Promise<T>
}

/** The first 16 hex digits of sha256 over the real path of the git common directory. */
export const repoIdOf = (commonDir: string): RepoId =>
  repoIdSchema.parse(createHash('sha256').update(commonDir).digest('hex').slice(0, 16))

export const repositoryPlace = (
  { dataDir }: Pick<Effects, 'dataDir'>,
  commonDir: string,
): RepositoryPlace => ({
  data_dir: dataDir,
  common_dir: commonDir,
  repo_id: repoIdOf(commonDir),
})

/**
 * If the repository is seen for the first time, it is remembered. Throws E_NOT_A_REPOSITORY, E_REPOSITORY_MOVED,
 * E_DATA_UNWRITABLE.
 */
export async function openRepository(effects: Effects, cwd: string): Promise<Repository> {
  const pathsOf = (commonDir: string): RepoPaths => repoPaths(effects.dataDir, repoIdOf(commonDir))
  const isKnown = (found: string): boolean => existsSync(pathsOf(found).record)
  const commonDir = await discoverCommonDir(effects.spawner, cwd, isKnown).catch((error: unknown) => {
    throw refuseLostTree(effects.dataDir, cwd) ?? withKnownRepositories(error, effects.dataDir)
  })
  const known = readRecord(pathsOf(commonDir).record, repoRecordSchema)
  const misplaced = findMisplaced(repositoryPlace(effects, commonDir), known)
  if (misplaced !== null) throw misplacedError(misplaced)
  const record = known ?? (await rememberRepository(effects, commonDir, pathsOf(commonDir)))
  return bindRepository(effects, { ...record, ...deriveRepositoryFields(commonDir) })
}

/** null where the repository is where its record says. */
export async function locateMisplaced(
  effects: Effects,
  cwd: string,
): Promise<{ readonly place: RepositoryPlace; readonly misplaced: Misplaced } | null> {
  const place = repositoryPlace(effects, await discoverCommonDir(effects.spawner, cwd, () => true))
  const known = readRecord(repoPaths(effects.dataDir, place.repo_id).record, repoRecordSchema)
  const misplaced = findMisplaced(place, known)
  return misplaced === null ? null : { place, misplaced }
}

/** What is derived from where the repository is, and so is never taken from a record. */
export const deriveRepositoryFields = (
  commonDir: string,
): Pick<RepoRecord, 'repo_id' | 'root' | 'git_common_dir'> => ({
  repo_id: repoIdOf(commonDir),
  root: commonDir.endsWith('/.git') ? dirname(commonDir) : commonDir,
  git_common_dir: commonDir,
})

export async function bindRepository(effects: Effects, record: RepoRecord): Promise<Repository> {
  const paths = repoPaths(effects.dataDir, record.repo_id)
  return {
    record,
    paths,
    git: await speakOurErrors(paths.cleanRoom, () => openCleanRoom(paths.cleanRoom, record, effects.spawner)),
    effects,
    locked: (work) => withLock(paths.lock, effects, work),
  }
}

/** In a tree of ours whose repository is no longer where it was; null elsewhere. */
function refuseLostTree(dataDir: string, cwd: string): AgencyError | null {
  const place = realPathOf(cwd)
  const lost = listRepositories(dataDir).find(
    ({ repo_id, git_common_dir }) =>
      isWithin(place, repoPaths(dataDir, repo_id).dir) && !pathExists(git_common_dir),
  )
  if (lost === undefined) return null
  return new AgencyError(
    'E_REPOSITORY_MOVED',
    `the repository of this worktree was at ${lost.root} and is no longer there`,
    { hint: 'go to where it is now, and type there: agency doctor --fix' },
  )
}

/**
 * Outside of a repository, the hint names those that this person has used, the last one first: that is where they may
 * want to be.
 */
function withKnownRepositories(error: unknown, dataDir: string): unknown {
  if (!(error instanceof AgencyError) || error.code !== 'E_NOT_A_REPOSITORY') return error
  const known = listRepositories(dataDir)
    .filter(({ git_common_dir }) => existsSync(git_common_dir))
    .toSorted((a, b) => b.last_used_at.localeCompare(a.last_used_at))
    .map((record) => record.root)
  const [last] = known
  if (last === undefined) return error
  return new AgencyError(error.code, `${error.message}; agency knows these:`, {
    hint: `cd ${quoteShellPath(last)}`,
    details: { ...error.details, known_repositories: known },
    cause: error,
  })
}

const quoteShellPath = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

/** Milliseconds. Somebody who starts ten agents need not have it written down ten times. */
const SAME_USE = 60_000

/** The caller holds the lock. */
export async function touchRepository({ record, paths, effects }: Repository): Promise<void> {
  const fresh = readRecord(paths.record, repoRecordSchema) ?? record
  const now = effects.clock.now()
  const where = whereabouts(effects, record.git_common_dir)
  const isNoted = fresh.data_dir === where.data_dir && fresh.common_dir_mark === where.common_dir_mark
  if (isNoted && Math.abs(now.getTime() - Date.parse(fresh.last_used_at)) < SAME_USE) return
  await writeRecord(paths.record, repoRecordSchema, { ...fresh, ...where, last_used_at: now.toISOString() })
}

/** What tells later that the repository, or the data directory, was moved. */
export function whereabouts(
  { dataDir }: Pick<Effects, 'dataDir'>,
  commonDir: string,
): Pick<RepoRecord, 'data_dir' | 'common_dir_mark'> {
  const mark = markOf(commonDir)
  return { data_dir: dataDir, ...(mark === null ? {} : { common_dir_mark: mark }) }
}

/** The repositories that this person has used, in no order. */
export function listRepositories(dataDir: string): RepoRecord[] {
  return listNames(repoPaths(dataDir, '').dir).flatMap((id) => {
    try {
      return readRecord(repoPaths(dataDir, id).record, repoRecordSchema) ?? []
    } catch (error) {
      if (error instanceof AgencyError) return []
      throw error
    }
  })
}

async function rememberRepository(
  effects: Effects,
  commonDir: string,
  paths: RepoPaths,
): Promise<RepoRecord> {
  const now = effects.clock.now().toISOString()
  const record: RepoRecord = {
    schema_version: '1.0',
    ...deriveRepositoryFields(commonDir),
    ...whereabouts(effects, commonDir),
    created_at: now,
    last_used_at: now,
    trusted_config: await readLocalConfig(effects.spawner, commonDir),
  }
  await speakOurErrors(paths.dir, async () => {
    mkdirSync(paths.dir, { recursive: true, mode: DIR_MODE })
    await writeRecord(paths.record, repoRecordSchema, record)
  })
  return record
}

/** The repository's own configuration with its includes, as `[key, value]` pairs. */
export async function readLocalConfig(
  spawner: Spawner,
  commonDir: string,
): Promise<RepoRecord['trusted_config']> {
  const git = bindGit({ spawner, cwd: commonDir, env: { GIT_DIR: commonDir } })
  const { stdout } = await git.run(['config', '--local', '--includes', '--list', '-z'])
  return splitFields(stdout).map((entry) => {
    const end = entry.indexOf('\n')
    return end < 0 ? [entry, null] : [entry.slice(0, end), entry.slice(end + 1)]
  })
}
