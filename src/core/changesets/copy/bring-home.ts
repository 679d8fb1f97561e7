// What an agent has made in a repository of its own becomes the person's as checked data: packed by a git that reads
// its objects, and unpacked by one that does not, which checks each of them, and that none is missing.

import type { Git, GitResult, RepositoryGit } from '../../doors/effects.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { Capture } from '../changeset.ts'

export interface Homecoming {
  /** The repository, without the borrowed objects. */
  readonly home: RepositoryGit
  /** The same with them. */
  readonly borrowing: RepositoryGit
  /** What is there already, with all that belongs to it. */
  readonly known: readonly ObjectId[]
}

/** False where something is missing, damaged, or not what its name says; nothing of that is kept then. */
export async function bringHome(
  way: Homecoming,
  commits: readonly ObjectId[],
  capture: Capture,
): Promise<boolean> {
  try {
    const { store } = way.home
    const missing = await selectMissing(store, commits)
    if (missing.length > 0) await importAll(way, [...missing, ...way.known.map((known) => `^${known}`)])
    const { head_tree, state_tree, index_tree } = capture
    const trees = [state_tree, index_tree ?? state_tree].filter((tree) => tree !== head_tree)
    if (trees.length > 0 && !(await areTreesWhole(store, trees, head_tree))) {
      await importAll(way, [...trees, `^${head_tree}`])
    }
    return true
  } catch (error) {
    if (error instanceof AgencyError && error.code === 'E_GIT_FAILED') return false
    throw error
  }
}

async function selectMissing(store: Git, commits: readonly ObjectId[]): Promise<ObjectId[]> {
  const input = commits.map((commit) => `${commit}\n`).join('')
  const said = await store.text(['cat-file', '--batch-check=%(objecttype)'], { input })
  const types = said.split('\n')
  return commits.filter((_commit, at) => types[at] !== 'commit')
}

/** Whether all that trees hold beyond another one is there. */
async function areTreesWhole(store: Git, trees: readonly ObjectId[], beyond: ObjectId): Promise<boolean> {
  const args = ['rev-list', '--objects', '--missing=print', '--stdin']
  const input = [...trees, `^${beyond}`].map((line) => `${line}\n`).join('')
  const listed = await store.run(args, { input, answers: [128] })
  return listed.exitCode === 0 && !/^\?/m.test(listed.stdout.toString('latin1'))
}

/** Bytes of a pack: more is not taken. */
const LARGEST = 2 ** 31

/** Fewer are written as git writes what is committed here: one file each, and no pack for every turn of an agent. */
const FEW = 100

async function importAll({ home, borrowing }: Homecoming, revisions: readonly string[]): Promise<void> {
  const input = revisions.map((line) => `${line}\n`).join('')
  const packed = await borrowing.store.run(
    ['pack-objects', '-q', '--revs', '--thin', '--delta-base-offset', '--stdout'],
    { input },
  )
  const pack = packed.stdout
  const limit = `--max-input-size=${LARGEST}`
  const unpack =
    countOf(packed) < FEW
      ? ['unpack-objects', '-q', '--strict', limit]
      : ['index-pack', '--strict', '--fix-thin', '--stdin', limit]
  await home.store.run(unpack, { input: pack })
}

/** The third number of a pack's header. */
const countOf = ({ stdout }: GitResult): number => (stdout.length < 12 ? 0 : stdout.readUInt32BE(8))
