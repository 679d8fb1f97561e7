// The administration of a tree with a repository of its own. The sandbox's branch has a counterpart in the person's
// repository, which follows it: so what was brought home is found, kept and undone like the work of any other sandbox.
// Where the repository lies is derived from where the tree lies; the record is not believed, since an agent can write
// it.

import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreeLocation } from '../../doors/effects.ts'
import { listBeyondPlain, PLAIN_REPOSITORY } from '../../doors/git/beyond-plain.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { FILE_MODE, lstatIfThere, toOurError } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { KeptState } from '../../model/kept-state.ts'
import type { Repository } from '../../store/repository.ts'
import type { Administration } from '../administration.ts'
import { knownPath } from '../location.ts'
import { isRealDirectory } from '../presence.ts'
import { makeRoom } from '../worktree/remove/pack-up.ts'
import { dropLocks } from '../worktree/restore/states-in-progress.ts'
import { bringHome, type Homeward, isGitFailure } from './bring-home.ts'
import { moveToTrash } from './clear-place.ts'
import { type OwnRepository, ownRepository } from './own-place.ts'
import {
  isPlainRef,
  listOwnRefs,
  ownHeads,
  parsePackedRefs,
  readOwnRef,
  readSmallFile,
  writeOwnFile,
  writeOwnRef,
} from './own-refs.ts'
import { makeOwnRepository } from './own-repository.ts'

/**
 * Bytes of the largest pack that is brought home. It is held in memory, more than once where another process starts git.
 */
const LARGEST = 2 ** 29

export function ownAdministration(
  repository: Repository,
  record: InvocationRecord,
  largest = LARGEST,
): Administration {
  const own = ownRepository(knownPath(record.sandbox_path))
  const borrowing = repository.git.borrowing(own.objects)
  const branch = `refs/heads/${record.sandbox_branch}`
  return {
    git: borrowing,
    refsDir: () => own.dir,
    heads: (where, fallbackHead) => {
      // A kill came after packUp and before the tree was removed.
      if (lstatIfThere(own.dir) === null) unpack(where)
      return ownHeads({ git: borrowing, dir: own.dir, fallbackHead })
    },
    add: (treePath, head) => makeOwnRepository(repository, treePath, head),
    find: () => own.dir,
    isOf: ({ git_dir }) => git_dir === own.dir && isRealDirectory(own.dir),
    reclaim: () => {},
    forget: () => putAway(repository, record),
    setHead: (_where, kept) => setOwnHead(own, kept),
    packUp,
    unpack,
    packedIndex: () => join(own.packed, 'index'),
    isPackedUp: () => false,
    salvage: async () => {
      const nothing = record.base_commit
      await follow({
        head: nothing,
        head_tree: nothing,
        state_tree: nothing,
        index_tree: null,
        verbatim: null,
      })
      putAway(repository, record)
    },
    bringHome: (_where, capture) => follow(capture),
    ownWork: () => listOwnWork(own, branch),
  }

  async function follow(capture: Homeward): Promise<boolean> {
    const { git } = repository
    const tip = readOwnRef(own.dir, branch)
    const second = await readTip(git.store, branch)
    const known = second === null ? [record.base_commit] : [record.base_commit, second]
    const commits = tip === null ? [capture.head] : [capture.head, tip]
    if (!(await bringHome({ home: git, borrowing, known, largest }, commits, capture))) return false
    return tip === null || tip === second || git.isDraft || moveBranch(second, tip)
  }

  /**
   * Only from where it was: a sandbox that was closed meanwhile does not get its branch back. It may have been moved by
   * another who looked at the same time.
   */
  async function moveBranch(from: ObjectId | null, to: ObjectId): Promise<boolean> {
    const { store } = repository.git
    try {
      await store.run(['update-ref', '--no-deref', branch, to, from ?? ''])
      return true
    } catch (error) {
      if (!isGitFailure(error)) throw error
      const now = await readTip(store, branch)
      return now !== null && now !== from
    }
  }
}

/**
 * Moves the repository into the tree, to our own directory there: so it goes to the trash, is deleted or comes back
 * with the files. The refs that it began with go with it, as later the person's will have moved.
 */
function packUp({ tree_path }: TreeLocation): boolean {
  const { dir, packed, given, packedGiven } = ownRepository(tree_path)
  if (!isRealDirectory(dir)) return false
  for (const path of [packed, packedGiven]) makeRoom(path)
  // Copied: a kill may come before the repository has moved, and whatever looks at it there needs them beside it.
  const refs = readSmallFile(given)
  if (refs !== null) writeFileSync(packedGiven, refs, { mode: FILE_MODE, flag: 'wx' })
  renameSync(dir, packed)
  rmSync(given, { recursive: true, force: true })
  return true
}

/**
 * Moves the repository back, in place of the one that was made for the tree meanwhile. Locks in it are those of a killed
 * git: nothing can have run there while it was packed up.
 */
function unpack({ tree_path }: TreeLocation): boolean {
  const { packed, dir, given, packedGiven } = ownRepository(tree_path)
  if (!isRealDirectory(packed)) return false
  // First, because nobody looks for them once the repository is back.
  if (lstatIfThere(packedGiven)?.isFile() === true) {
    rmSync(given, { recursive: true, force: true })
    renameSync(packedGiven, given)
  }
  rmSync(dir, { recursive: true, force: true })
  renameSync(packed, dir)
  dropLocks(dir)
  return true
}

/**
 * For a repository that nobody has packed up, because an agent deleted the tree alone, say. It is kept in the trash.
 */
function putAway(repository: Repository, { sandbox_path }: InvocationRecord): void {
  const { dir, objects } = ownRepository(knownPath(sandbox_path))
  moveToTrash(repository, dir)
  rmSync(objects, { recursive: true, force: true })
}

/**
 * Moves the sandbox's branch back to where it was, and puts HEAD on the branch that it was on if that branch has not
 * moved.
 */
async function setOwnHead({ dir }: OwnRepository, kept: KeptState): Promise<string[]> {
  const { branch, branch_tip, head, head_ref, unborn } = kept
  const own = `refs/heads/${branch}`
  const written = branch_tip === null || (await couldWrite(dir, own, branch_tip))
  const notes = written ? [] : [`${own} could not be written`]
  const path = join(dir, 'HEAD')
  // A branch that went with the sandbox comes back with it; one that is there stays where it is.
  if (head_ref !== null && !unborn && readOwnRef(dir, head_ref) === null)
    await couldWrite(dir, head_ref, head)
  if (head_ref !== null && isPlainRef(head_ref) && readOwnRef(dir, head_ref) === (unborn ? null : head)) {
    await writeOwnFile(path, `ref: ${head_ref}\n`)
    return notes
  }
  await writeOwnFile(path, `${head}\n`)
  if (head_ref === null) return notes
  return [...notes, `${head_ref} is no longer where it was, so HEAD is detached at ${head}`]
}

/** A ref that an agent has made unwritable must not hold up what comes after it. Throws E_DISK_FULL. */
async function couldWrite(dir: string, ref: string, commit: ObjectId): Promise<boolean> {
  try {
    await writeOwnRef(dir, ref, commit)
    return true
  } catch (error) {
    const ours = toOurError(join(dir, ref), error)
    if (ours instanceof AgencyError && ours.code === 'E_DISK_FULL') throw ours
    return false
  }
}

/**
 * Refs that are not what they were when the repository was made, all of the repository where there may be more of them;
 * and what no repository has that was only worked in.
 */
function listOwnWork({ dir, given }: OwnRepository, branch: string): string[] {
  const beyond = listBeyondPlain(dir, PLAIN_REPOSITORY).filter((name) => name !== '.')
  const known = parsePackedRefs(readSmallFile(given) ?? '')
  const { refs, whole } = listOwnRefs(dir)
  const own = [...refs].filter(([ref, object]) => ref !== branch && known.get(ref) !== object)
  return [
    ...(whole ? [] : ['.git']),
    ...[...beyond, ...own.map(([ref]) => ref)].map((name) => `.git/${name}`),
  ]
}
