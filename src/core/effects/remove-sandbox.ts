// The only place where the tree of a sandbox leaves its place. Nothing is taken that is not proved to be ours: an agent
// could have put a symbolic link where its tree was, and what lies behind it would be deleted.

import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { AgencyError } from '../model/errors.ts'
import { formatStampedId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { readInvocation } from '../store/invocations.ts'
import { SANDBOX_MARKER } from '../store/paths.ts'
import type { Repository } from '../store/repository.ts'
import { DIR_MODE, isErrno } from './files.ts'

/** Ends the name of a tree in the trash that waits to be brought back; any other one is being deleted. */
export const KEPT_SUFFIX = '.kept'

/** Throws E_PATH_NOT_OURS. What an earlier, killed attempt had done already is done no second time. */
export function removeSandbox(repository: Repository, record: InvocationRecord, keepFiles: boolean): void {
  const { effects, paths } = repository
  if (proveOurs(repository, record) === 'there') {
    mkdirSync(paths.trashDir, { recursive: true, mode: DIR_MODE })
    const name = trashName(repository, record.invocation_id)
    const to = join(paths.trashDir, keepFiles ? `${name}${KEPT_SUFFIX}` : name)
    effects.onStep('move the tree to the trash')
    renameSync(record.sandbox_path, to)
    effects.onStep('make git forget the sandbox')
    forgetWorktree(repository, record)
    if (!keepFiles) effects.processes.deleteLater(to)
  } else {
    forgetWorktree(repository, record)
  }
}

/** `<id>-<time>-<4hex>`: begins with whose tree it is, and says when it was thrown away. */
export const trashName = ({ effects }: Repository, id: string): string =>
  `${id}-${formatStampedId(effects.clock.now(), effects.random())}`

function proveOurs(repository: Repository, record: InvocationRecord): 'there' | 'gone' {
  const { effects, paths } = repository
  const dataDir = realpathSync(effects.dataDir)
  const ours = join(dataDir, relative(effects.dataDir, paths.invocation(record.invocation_id).tree))
  if (record.sandbox_path !== ours) {
    throw notOurs(record.sandbox_path, `a sandbox of this id lies at ${ours}`)
  }
  const there = lstatSync(ours, { throwIfNoEntry: false })
  if (there === undefined) return 'gone'
  if (!there.isDirectory()) throw notOurs(ours, 'it is no directory')
  const real = realpathSync(ours)
  if (real !== ours) throw notOurs(ours, `a symbolic link leads to ${real}`)
  if (!hasMarker(ours) && !isRecorded(repository, record)) {
    throw notOurs(ours, 'it has neither a marker nor a record')
  }
  return 'there'
}

const hasMarker = (tree: string): boolean =>
  lstatSync(join(tree, SANDBOX_MARKER), { throwIfNoEntry: false })?.isFile() ?? false

function isRecorded({ paths }: Repository, record: InvocationRecord): boolean {
  try {
    return readInvocation(paths, record.invocation_id).sandbox_path === record.sandbox_path
  } catch (error) {
    if (error instanceof AgencyError) return false
    throw error
  }
}

/** Deletes the worktree's directory in `.git/worktrees`, where that still is the one of this tree. */
export function forgetWorktree(
  repository: Repository,
  { git_dir, sandbox_path }: Pick<InvocationRecord, 'git_dir' | 'sandbox_path'>,
): void {
  const worktrees = join(repository.git.commonDir, 'worktrees')
  if (dirname(git_dir) !== worktrees || basename(git_dir) === '..') {
    throw notOurs(git_dir, 'it is no worktree of this repository')
  }
  if (readLink(git_dir) === join(sandbox_path, '.git')) rmSync(git_dir, { recursive: true, force: true })
}

/** Where the worktree's tree is, by git's own note. null where there is none. */
function readLink(gitDir: string): string | null {
  try {
    if (!lstatSync(gitDir).isDirectory()) return null
    return readFileSync(join(gitDir, 'gitdir'), 'utf8').replace(/\n$/, '')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

const notOurs = (path: string, why: string): AgencyError =>
  new AgencyError('E_PATH_NOT_OURS', `${path} is not deleted: ${why}`, { details: { path } })
