// Brings the records and trees of a repository along after it, or the data directory, was moved. Touches only what names
// the old place, and what lies in the repository's own directory of records. A kill in the middle is finished by the
// next try: `repo.json` names the old place until everything else names the new one.

import { readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Effects } from '../doors/effects.ts'
import { dropClaim } from '../doors/system/claim-file.ts'
import {
  isDirectoryItself,
  listNames,
  lstatIfThere,
  readTextIfThere,
  writeAtomic,
} from '../doors/system/files.ts'
import { readHolder, withLock } from '../doors/system/lock.ts'
import { AgencyError } from '../model/errors.ts'
import { invocationRecordSchema, isActive } from '../model/invocation.ts'
import { isWithin } from '../model/path-safety.ts'
import { repoRecordSchema } from '../model/repo.ts'
import { type RepositoryMove, type RepositoryPlace, registeredTree } from '../store/moved-repository.ts'
import { type RepoPaths, repoPaths } from '../store/paths.ts'
import { readRecord, writeRecord } from '../store/record-file.ts'
import { deriveRepositoryFields, whereabouts } from '../store/repository.ts'

interface Relocation {
  readonly paths: RepoPaths
  readonly place: RepositoryPlace
  readonly move: RepositoryMove
  /** A path of before, as it is now. Others come back as they are. */
  readonly now: (path: string) => string
}

/** Throws E_INVOCATION_RUNNING while an agent runs, because its host writes to where everything was. */
export async function relocate(
  effects: Effects,
  place: RepositoryPlace,
  move: RepositoryMove,
): Promise<void> {
  const paths = repoPaths(place.data_dir, place.repo_id)
  refuseRunning(effects, move)
  await withLock(join(move.dir, basename(paths.lock)), effects, async () => {
    effects.onStep('move the records')
    if (move.dir !== paths.dir) moveRecords(move.dir, paths.dir)
    const relocation = { paths, place, move, now: pathNow(place, move, paths) }
    try {
      await relocateAll(effects, relocation)
    } finally {
      // The lock has moved along.
      if (move.dir !== paths.dir && readHolder(paths.lock)?.pid === process.pid) dropClaim(paths.lock)
    }
  })
}

function moveRecords(from: string, to: string): void {
  if (lstatIfThere(to) !== null) throw new AgencyError('E_PATH_NOT_OURS', `${to} is in the way of ${from}`)
  renameSync(from, to)
}

async function relocateAll(effects: Effects, relocation: Relocation): Promise<void> {
  const { paths, place, move } = relocation
  effects.onStep('relocate the records')
  for (const dir of [paths.worktreesDir, paths.invocationsDir]) {
    for (const id of listNames(dir)) await relocateRecord(join(dir, id), relocation)
  }
  effects.onStep('relocate the trees')
  for (const name of listNames(join(place.common_dir, 'worktrees'))) await relocateTree(name, relocation)
  for (const id of listNames(paths.sandboxesDir)) await relocateOwn(join(paths.sandboxesDir, id), relocation)
  relocateLinks(paths.cleanRoom, relocation)
  effects.onStep('relocate the repository')
  await writeRecord(paths.record, repoRecordSchema, {
    ...move.record,
    ...deriveRepositoryFields(place.common_dir),
    ...whereabouts(effects, place.common_dir),
  })
}

function refuseRunning({ processes }: Effects, { dir }: RepositoryMove): void {
  for (const id of listNames(join(dir, 'invocations'))) {
    const record = readRecord(join(dir, 'invocations', id, 'meta.json'), invocationRecordSchema)
    if (record === null || !isActive(record) || record.host === null || !processes.isAlive(record.host))
      continue
    throw new AgencyError('E_INVOCATION_RUNNING', `${id} is still running where everything was`, {
      hint: `move it back, or end the agent first: kill ${record.host.pid}`,
    })
  }
}

function pathNow(
  { common_dir }: RepositoryPlace,
  { record, recorded_dir }: RepositoryMove,
  paths: RepoPaths,
) {
  const moved = [
    [recorded_dir, paths.dir],
    [record.git_common_dir, common_dir],
  ] as const
  return (path: string): string => {
    const from = moved.find(([old]) => isWithin(path, old))
    return from === undefined ? path : `${from[1]}${path.slice(from[0].length)}`
  }
}

const PATHS = ['tree_path', 'sandbox_path', 'git_dir'] as const

/** As text, because a record that cannot be parsed stays as it is. */
async function relocateRecord(dir: string, { now, move, place }: Relocation): Promise<void> {
  const meta = join(dir, 'meta.json')
  const text = lstatIfThere(meta)?.isFile() === true ? (readTextIfThere(meta) ?? '') : ''
  const next = text
    .replace(VALUE, (value) => JSON.stringify(now(JSON.parse(value))))
    .replace(`\n  "repo_id": "${move.record.repo_id}"`, `\n  "repo_id": "${place.repo_id}"`)
  if (next !== text) await writeAtomic(meta, next)
}

/** How we write them: at the top level, each on a line of its own. */
const VALUE = new RegExp(`(?<=^ {2}"(?:${PATHS.join('|')})": )"(?:[^"\\\\]|\\\\.)*"(?=,?$)`, 'gm')

/** Both of git's pointers: from the administration to the tree, and from the tree to its administration. */
async function relocateTree(name: string, { place, move, now, paths }: Relocation): Promise<void> {
  const admin = join(place.common_dir, 'worktrees', name)
  const former = join(move.record.git_common_dir, 'worktrees', name)
  const noted = registeredTree(admin, former)
  if (noted === null || !isWithin(now(noted), paths.dir)) return
  const dotGit = now(noted)
  const tree = dirname(dotGit)
  if (!isDirectoryItself(tree)) return
  await rewrite(join(admin, 'gitdir'), () => `${dotGit}\n`)
  await rewrite(dotGit, (text) => {
    const link = /^gitdir: (.+)\n?$/.exec(text)?.[1] ?? ''
    return resolve(dirname(noted), link) === former ? `gitdir: ${admin}\n` : text
  })
}

/** A sandbox that has its own repository reads the objects of the repository by their path. */
async function relocateOwn(sandboxDir: string, { place, move, now }: Relocation): Promise<void> {
  if (!isDirectoryItself(sandboxDir) || !isDirectoryItself(join(sandboxDir, 'repo.git'))) return
  const info = join(sandboxDir, 'repo.git/objects/info')
  const [from, to] = [move.record.git_common_dir, place.common_dir].map((dir) => `${join(dir, 'objects')}\n`)
  if (['..', '.'].every((up) => isDirectoryItself(join(info, up)))) {
    await rewrite(join(info, 'alternates'), (text) => (text === from ? (to ?? text) : text))
  }
  relocateLinks(join(sandboxDir, 'objects'), { now })
}

/** Links of ours that lead to where something was. */
function relocateLinks(dir: string, { now }: Pick<Relocation, 'now'>): void {
  if (!isDirectoryItself(dir)) return
  for (const name of listNames(dir)) {
    const link = join(dir, name)
    if (lstatIfThere(link)?.isSymbolicLink() !== true) continue
    const target = readlinkSync(link)
    if (now(target) === target) continue
    unlinkSync(link)
    symlinkSync(now(target), link)
  }
}

/** Leaves alone what is no file, and what does not say what it said when we wrote it. */
async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  if (lstatIfThere(path)?.isFile() !== true) return
  const text = readTextIfThere(path) ?? ''
  const next = change(text)
  if (next !== text) await writeAtomic(path, next)
}
