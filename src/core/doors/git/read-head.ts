// Reads where a work tree's HEAD is, even if it is on no commit.

import { join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import type { Git, RepositoryGit, TreeLocation } from '../effects.ts'
import { notedMoment } from '../system/clock-steps.ts'
import { stampOf } from '../system/file-stamp.ts'
import { lstatIfThere, readTextIfRegular } from '../system/files.ts'

export interface HeadRequest {
  readonly git: RepositoryGit
  readonly where: TreeLocation
  /** What counts as HEAD where the tree has none: its branch has no commit yet, or its git directory is damaged. */
  readonly fallbackHead: ObjectId
}

export interface Head {
  readonly head: ObjectId
  readonly head_ref: string | null
  readonly head_tree: ObjectId
  readonly unborn: boolean
  /** Milliseconds since the epoch. A capture that begins with this HEAD may miss what changed after that. */
  readonly read_at: number
  /** What HEAD and its branch said then; null where comparing that would not show whether HEAD has moved. */
  readonly stamp: string | null
}

/** Reads the HEAD of one tree, as often as asked. */
export interface Heads {
  /**
   * What we write into a private HEAD so that it stands where the tree's HEAD stands: a branch or a commit. null if
   * the tree's HEAD names neither.
   */
  said(): string | null
  read(): Promise<Head>
  /** Whether HEAD has moved to another commit since `before`. */
  hasMoved(before: Head): Promise<boolean>
}

/** For a tree whose branches are the repository's own. */
export const linkedHeads = (request: HeadRequest): Heads => ({
  said: () => readHeadFile(request.where.git_dir),
  read: () => readHead(request),
  hasMoved: (before) => hasMoved(request, before),
})

/** git is not run with the tree's own git directory: an agent could have it read refs from elsewhere. */
async function readHead({ git, where, fallbackHead }: HeadRequest): Promise<Head> {
  const read_at = notedMoment()
  const stamp = stampHead(where, git.commonDir)
  const said = readHeadFile(where.git_dir)
  // The caller starts a git that looks at the whole tree at the same time. It takes the longest, so it goes first.
  await Promise.resolve()
  const head_ref = said?.startsWith('ref: ') ? said.slice('ref: '.length) : null
  const found = await resolveHead(git.store, head_ref ?? said ?? fallbackHead)
  if (found !== null && said !== null) return { ...found, head_ref, unborn: false, read_at, stamp }
  const fallback = await resolveHead(git.store, fallbackHead)
  if (fallback === null) throw new AgencyError('E_GIT_FAILED', `the commit ${fallbackHead} is missing`)
  return { ...fallback, head_ref, unborn: true, read_at, stamp }
}

async function hasMoved(request: HeadRequest, { head, stamp }: Head): Promise<boolean> {
  if (stamp !== null && stamp === stampHead(request.where, request.git.commonDir)) return false
  return (await readHead(request)).head !== head
}

/** null where the branch is a symbolic ref: then it moves without its own file being written. */
function stampHead({ git_dir }: TreeLocation, commonDir: string): string | null {
  const { head, refs } = readHeadStamp(git_dir, commonDir)
  return head === null || refs.startsWith('ref:') ? null : `${head},${refs}`
}

/** null where there is no such commit. */
export async function resolveHead(
  store: Git,
  name: string,
): Promise<Pick<Head, 'head' | 'head_tree'> | null> {
  const asked = await store.run(['rev-parse', `${name}^{commit}`, `${name}^{tree}`], { answers: [128] })
  const [head, tree] = asked.stdout.toString('utf8').split('\n')
  if (asked.exitCode !== 0 || !head || !tree) return null
  return { head: parseObjectId(head), head_tree: parseObjectId(tree) }
}

/**
 * What the branch's own file says; null where only git can tell: the branch is packed, in a table, or a symbolic ref.
 */
export function readLooseBranch(commonDir: string, branch: string): ObjectId | null {
  if (lstatIfThere(join(commonDir, 'reftable')) !== null) return null
  // Where a branch is packed, git may have left an empty directory of its name.
  const text = readTextIfRegular(join(commonDir, 'refs/heads', branch)) ?? ''
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.test(text) ? parseObjectId(text.trimEnd()) : null
}

/** What HEAD says, where that is a branch or a commit. */
export function readHeadFile(gitDir: string): string | null {
  const text = readTextIfRegular(join(gitDir, 'HEAD'))?.replace(/\n$/, '') ?? ''
  return /^(ref: refs\/heads\/\S+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : null
}

export interface HeadStamp {
  /** What HEAD says, as readHeadFile reads it. */
  readonly head: string | null
  /** The file of the branch that HEAD names, and every file that would be written if that branch moved. */
  readonly refs: string
}

/** If two of these are equal, HEAD has not moved, unless its branch is a symbolic ref. */
export function readHeadStamp(gitDir: string, commonDir: string): HeadStamp {
  const head = readHeadFile(gitDir)
  const branch = head?.startsWith('ref: ') ? head.slice('ref: '.length) : null
  const refs = ['packed-refs', 'reftable/tables.list'].map((name) => stampOf(join(commonDir, name)))
  return { head, refs: [branch === null ? '' : readTextIfRegular(join(commonDir, branch)), ...refs].join() }
}
