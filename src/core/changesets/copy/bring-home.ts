// Brings what an agent has made in a repository of its own into the person's, as checked data. One git reads the
// agent's objects and packs them; another, which cannot read them, unpacks the pack and checks each object and that
// none is missing.

import type { Git, GitResult, RepositoryGit } from '../../doors/effects.ts'
import { hasAnswered } from '../../doors/git/git.ts'
import { isRefusedByGit } from '../../doors/git/ref-failure.ts'
import type { ErrorCode } from '../../model/error-codes.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { Capture } from '../changeset.ts'

export interface Homecoming {
  /** The person's repository, which cannot read the agent's objects. */
  readonly home: RepositoryGit
  /** The same repository, reading the agent's objects too. */
  readonly borrowing: RepositoryGit
  /** Commits that the person's repository already has, with everything that they need. */
  readonly known: readonly ObjectId[]
  /** Bytes. A larger pack is refused. */
  readonly largest: number
}

/** What a capture has that may be in the agent's repository alone. */
export type Homeward = Pick<Capture, 'head' | 'head_tree' | 'state_tree' | 'index_tree' | 'verbatim'>

/**
 * Returns false where an object is missing, damaged, or not what its name says; then nothing refers to what came of it.
 */
export async function bringHome(
  way: Homecoming,
  commits: readonly ObjectId[],
  capture: Homeward,
): Promise<boolean> {
  try {
    const { store } = way.home
    const missing = await selectMissing(store, commits)
    if (missing.length > 0) {
      await importAll(way, [...missing, ...way.known.map((known) => `^${known}`)])
      // An object that is no commit, or that another lay in the place of, may have come through all the same.
      if ((await selectMissing(store, commits)).length > 0) return false
    }
    const { head_tree, state_tree, index_tree, verbatim } = capture
    const captured = [state_tree, index_tree ?? state_tree, verbatim?.tree ?? state_tree]
    const trees = captured.filter((tree) => tree !== head_tree)
    if (trees.length > 0 && !(await areTreesWhole(store, trees, head_tree))) {
      await importAll(way, [...trees, `^${head_tree}`])
    }
    return true
  } catch (error) {
    if (error instanceof Unreadable || isGitFailure(error)) return false
    throw error
  }
}

/** git could not read or pack the agent's objects: whatever it said of that, only the agent is harmed. */
class Unreadable extends Error {}

/**
 * Whether git itself said no. An agent can put something in its repository that cannot be read, so what looks like a
 * failed disk counts too: all that a wrong guess costs is that the files wait in the trash.
 */
export const isGitFailure = (error: unknown): boolean =>
  hasAnswered(error) && (OF_GIT.includes(error.code) || isRefusedByGit(error))

const OF_GIT: readonly ErrorCode[] = ['E_GIT_STUCK', 'E_DISK_FAILED', 'E_FILE_SYSTEM_LIMIT']

async function selectMissing(store: Git, commits: readonly ObjectId[]): Promise<ObjectId[]> {
  const input = commits.map((commit) => `${commit}\n`).join('')
  const said = await store.text(['cat-file', '--batch-check=%(objecttype)'], { input })
  const types = said.split('\n')
  return commits.filter((_commit, at) => types[at] !== 'commit')
}

/** Whether the repository has every object of these trees that is not part of the tree `beyond`. */
async function areTreesWhole(store: Git, trees: readonly ObjectId[], beyond: ObjectId): Promise<boolean> {
  const args = ['rev-list', '--objects', '--missing=print', '--stdin']
  const input = [...trees, `^${beyond}`].map((line) => `${line}\n`).join('')
  const listed = await store.run(args, { input, answers: [128] })
  return listed.exitCode === 0 && !/^\?/m.test(listed.stdout.toString('latin1'))
}

/** Milliseconds for either git. What an agent left in place of its objects could keep one waiting for ever. */
const LONGEST = 10 * 60 * 1000

/**
 * A pack of fewer objects is unpacked to one file each, as git does when it commits: no pack for every turn of an
 * agent.
 */
const FEW = 100

const PACK = ['pack-objects', '-q', '--revs', '--thin', '--delta-base-offset', '--stdout']

async function importAll(way: Homecoming, revisions: readonly string[]): Promise<void> {
  const { home, borrowing, largest } = way
  const limits = { mostOutput: largest, longest: LONGEST }
  const input = revisions.map((line) => `${line}\n`).join('')
  const packed = await borrowing.store.run(PACK, { input, limits }).catch((cause: unknown) => {
    if (!hasAnswered(cause)) throw cause
    throw new Unreadable('the objects could not be packed', { cause })
  })
  const limit = `--max-input-size=${largest}`
  const unpack =
    countOf(packed) < FEW
      ? ['unpack-objects', '-q', '--strict', limit]
      : ['index-pack', '--strict', '--fix-thin', '--stdin', limit]
  await home.store.run(unpack, { input: packed.stdout, limits })
}

/** The third number of a pack's header. */
const countOf = ({ stdout }: GitResult): number => (stdout.length < 12 ? 0 : stdout.readUInt32BE(8))
