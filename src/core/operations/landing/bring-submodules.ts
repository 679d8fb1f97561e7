// A landing that moves a submodule to a commit of the agent's brings that commit along, into the submodule's repository
// in the person's worktree, or else in their main tree. It is refused where there is none: the branch would name a commit
// that is in the sandbox's trash and nowhere else.

import { join } from 'node:path'
import { bringHome } from '../../changesets/copy/bring-home.ts'
import { listOwnRefs } from '../../changesets/copy/own-refs.ts'
import { linkObjects } from '../../changesets/copy/own-repository.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { Git, RepositoryGit } from '../../doors/effects.ts'
import { openCleanRoom } from '../../doors/git/clean-room.ts'
import { findSubmodule, type SubmoduleLink } from '../../doors/git/find-submodule.ts'
import { inScratchDirectory } from '../../doors/system/scratch-directory.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId, shortId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { rawBytes } from '../../model/raw-bytes.ts'
import { GITLINK_MODE, type RawChange } from '../../model/raw-diff.ts'
import { LANDED_REFS } from '../../model/refs.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'

export interface LandedLinks {
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  /** What the branch will be at. */
  readonly to: ObjectId
  /** All that the landing changes. */
  readonly changes: readonly RawChange[]
}

/** Finds out whether it can be done. Changes nothing. Throws E_SUBMODULE_MISSING. */
export async function checkSubmodules(repository: Repository, landed: LandedLinks): Promise<void> {
  await withEach(repository, landed, async (one) => void (await planOne(one)))
}

/** Returns sentences for the person. Throws E_SUBMODULE_MISSING; may have brought some of them then. */
export async function bringSubmodules(repository: Repository, landed: LandedLinks): Promise<string[]> {
  if (landed.changes.every(({ new_mode }) => new_mode !== GITLINK_MODE)) return []
  await checkSubmodules(repository, landed)
  repository.effects.onStep('bring commits of submodules')
  return withEach(repository, landed, async (one) => {
    const plan = await planOne(one)
    return plan === null ? null : carryOut(one, plan)
  })
}

interface OneLink {
  readonly repository: Repository
  readonly landed: LandedLinks
  readonly link: SubmoduleLink
  readonly commit: ObjectId
  /** Of ours, for the moment. */
  readonly dir: string
}

async function withEach(
  repository: Repository,
  landed: LandedLinks,
  work: (one: OneLink) => Promise<string | null | undefined>,
): Promise<string[]> {
  const links = landed.changes.filter(({ new_mode }) => new_mode === GITLINK_MODE)
  if (links.length === 0) return []
  const names = await readNames(repository.git.store, landed.to)
  const notes: string[] = []
  for (const { path, new_object } of links) {
    await inScratchDirectory(repository.paths.dir, 'submodules', async (dir) => {
      const link = { name: names.get(path) ?? null, path: textOf(path) }
      const note = await work({ repository, landed, link, commit: parseObjectId(new_object), dir })
      if (note) notes.push(note)
    })
  }
  return notes
}

const textOf = (raw: string): string => rawBytes(raw).toString('utf8')

/** From raw paths to the names in `.gitmodules`. */
async function readNames(store: Git, commit: ObjectId): Promise<ReadonlyMap<string, string>> {
  const args = ['config', '--no-includes', '--blob', `${commit}:.gitmodules`, '-z', '--get-regexp', KEY]
  const { stdout } = await store.run(args, { answers: [1, 128, 255] })
  return new Map(
    stdout
      .toString('latin1')
      .split('\0')
      .flatMap((entry) => {
        const [key = '', path] = entry.split('\n')
        return path === undefined ? [] : [[path, textOf(key.slice('submodule.'.length, -'.path'.length))]]
      }),
  )
}

const KEY = '^submodule\\..*\\.path$'

interface Bringing {
  /** The submodule's repository of the person's. */
  readonly home: string
  readonly git: RepositoryGit
  /** A directory with links to the objects of the agent's repository. */
  readonly objects: string | null
}

/** null where nothing has to be done: the commit is on a branch, or the agent has not made it. */
async function planOne(one: OneLink): Promise<Bringing | null> {
  const { repository, landed, link, commit, dir } = one
  const homes = await openHomes(one)
  for (const { home, git } of homes) {
    if (await hasCommit(git.store, commit))
      return (await isReferred(git.store, commit)) ? null : { home, git, objects: null }
  }
  const theirs = openChangeset(repository, landed.record).findSubmodule(link)
  if (theirs === null) return null
  const objects = join(dir, 'objects')
  linkObjects({ dir: theirs, objects })
  const borrowing = repository.git.borrowing(objects)
  if (!(await hasCommit(borrowing.store, commit)) || (await isOnRemote(borrowing.store, theirs, commit)))
    return null
  const [first] = homes
  if (first !== undefined) return { ...first, objects }
  throw missing(one, `it was never checked out in ${landed.worktree.name}`)
}

/** The worktree's own comes first. */
async function openHomes({ repository, landed, link, dir }: OneLink): Promise<Omit<Bringing, 'objects'>[]> {
  const { git, record, effects } = repository
  const { tree_path, git_dir } = landed.worktree
  const holders = [
    { tree: tree_path, gitDir: git_dir },
    { tree: record.root, gitDir: git.commonDir },
  ]
  const found = holders.map((holder) => findSubmodule(holder, link)).filter((home) => home !== null)
  const trusted_config = record.trusted_config.filter(([key]) => FORMAT.test(key))
  return Promise.all(
    found.map(async (home, at) => {
      const repo = { ...record, git_common_dir: home, trusted_config }
      return { home, git: await openCleanRoom(join(dir, `room-${at}`), repo, effects.spawner) }
    }),
  )
}

/** A submodule has the same kind of object names as the repository that it is part of. */
const FORMAT = /^(core\.repositoryformatversion|extensions\.objectformat)$/i

async function hasCommit(store: Git, commit: ObjectId): Promise<boolean> {
  const asked = await store.run(['cat-file', '-t', commit], { answers: [1, 128], limits: LIMITS })
  return asked.stdout.toString('latin1') === 'commit\n'
}

async function isReferred(store: Git, commit: ObjectId): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', commit]
  const asked = await store.run(args, { answers: [1, 128, 129], limits: LIMITS })
  return asked.exitCode === 0 && asked.stdout.length > 0
}

/** How many remote-tracking refs are asked. */
const MOST_REMOTE = 1000

/** Whether the agent's repository got it from elsewhere, or has pushed it, so that whoever wants it can fetch it. */
async function isOnRemote(store: Git, theirs: string, commit: ObjectId): Promise<boolean> {
  const { refs } = listOwnRefs(theirs)
  const remote = [...refs].filter(
    ([ref, said]) => ref.startsWith('refs/remotes/') && /^[0-9a-f]+$/.test(said),
  )
  if (remote.length === 0) return false
  const input = [commit, ...remote.slice(0, MOST_REMOTE).map(([, tip]) => `^${tip}`)].join('\n')
  const args = ['rev-list', '--max-count=1', '--ignore-missing', '--stdin']
  const asked = await store.run(args, { input: `${input}\n`, answers: [128], limits: LIMITS })
  return asked.exitCode === 0 && asked.stdout.length === 0
}

/** Bytes and milliseconds. An agent can have left anything in place of its objects. */
const LARGEST = 2 ** 29
const LIMITS = { mostOutput: LARGEST, longest: 10 * 60 * 1000 }

async function carryOut(one: OneLink, { home, git, objects }: Bringing): Promise<string> {
  const { landed, link, commit } = one
  const id = landed.record.invocation_id
  if (objects !== null && !(await bring(git, objects, commit))) {
    throw missing(one, 'its objects are damaged or too large')
  }
  const ref = `${LANDED_REFS}${id}-${commit.slice(0, 12)}`
  await git.store.run(['update-ref', '--no-deref', ref, commit])
  return `what ${shortId(id)} committed in ${link.path} is in ${home}, under ${ref}`
}

async function bring(git: RepositoryGit, objects: string, commit: ObjectId): Promise<boolean> {
  const listed = await git.store.text(['for-each-ref', '--format=%(objectname)'])
  const known = listed
    .split('\n')
    .filter((tip) => tip !== '')
    .map(parseObjectId)
  const way = { home: git, borrowing: git.borrowing(objects), known, largest: LARGEST }
  const nothing = { head: commit, head_tree: commit, state_tree: commit, index_tree: null, verbatim: null }
  return bringHome(way, [commit], nothing)
}

function missing({ link, commit }: OneLink, why: string): AgencyError {
  const message = `${link.path} would be at ${commit.slice(0, 7)}, a commit that is in the sandbox alone: ${why}`
  return new AgencyError('E_SUBMODULE_MISSING', message, { details: { path: link.path, commit } })
}
