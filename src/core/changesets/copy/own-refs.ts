// The refs of a sandbox's own repository, read as files: the person's git is never run on that repository.

import { type Dirent, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryGit } from '../../doors/effects.ts'
import { type Head, type Heads, readHeadFile, resolveHead } from '../../doors/git/read-head.ts'
import { notedMoment } from '../../doors/system/clock-steps.ts'
import {
  DIR_MODE,
  isDirectoryItself,
  lstatIfThere,
  readTextIfRegular,
  writeAtomic,
} from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'

/** git follows no more than this many. */
const DEEPEST = 5
/**
 * An agent may have written anything, so there are limits: bytes of the packed refs and of one loose ref, and how many
 * loose refs and directories of refs are looked at. Packed refs do not count: the person may have given as many.
 */
const LARGEST = 16 << 20
const LARGEST_LOOSE = 4 << 10
const MOST_LOOSE = 10_000

const OBJECT = /^([0-9a-f]{40}|[0-9a-f]{64})$/

/** Where a ref points; null where there is none. A link is not followed, which could lead anywhere. */
export function readOwnRef(dir: string, ref: string, depth = 0): ObjectId | null {
  if (depth > DEEPEST || !isPlainRef(ref)) return null
  const said = readLoose(dir, ref)?.trim() ?? readPacked(dir).refs.get(ref) ?? ''
  if (said.startsWith('ref: ')) return readOwnRef(dir, said.slice('ref: '.length), depth + 1)
  return OBJECT.test(said) ? parseObjectId(said) : null
}

/** The names that git allows, or fewer: none of them leads out of the repository. */
export const isPlainRef = (ref: string): boolean =>
  ref.startsWith('refs/') && !ref.includes('..') && ref.split('/').every((part) => PLAIN_PART.test(part))

const PLAIN_PART = /^(?!\.)[^\p{Cc} ~^:?*[\\]+(?<!\.lock)$/u

const readLoose = (dir: string, ref: string): string | null =>
  parentsOf(ref).every((parent) => isDirectoryItself(join(dir, parent)))
    ? readSmallFile(join(dir, ref))
    : null

/** The outermost first. */
const parentsOf = (ref: string): string[] =>
  ref.split('/').flatMap((_part, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]))

export interface OwnRefs {
  /** What each says, by name. */
  readonly refs: ReadonlyMap<string, string>
  /** False where there may be others, or where one could not be read. */
  readonly whole: boolean
}

export function listOwnRefs(dir: string, most = MOST_LOOSE): OwnRefs {
  const packed = readPacked(dir)
  const refs = new Map(packed.refs)
  let { whole } = packed
  for (const [name, entry] of walkLoose(dir, most)) {
    const said = entry === 'ref' ? readSmallFile(join(dir, name), LARGEST_LOOSE) : null
    whole &&= said !== null
    if (entry === 'ref') refs.set(name, said?.trim() ?? '')
  }
  return { refs, whole }
}

/** Names of loose refs, and then what is not looked at. */
function* walkLoose(dir: string, most: number): Generator<readonly [name: string, entry: 'ref' | 'unseen']> {
  const waiting = ['refs']
  let seen = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = listRefs(join(dir, at))
    if (entries === null) yield [at, 'unseen']
    for (const entry of entries ?? []) {
      seen += 1
      if (seen > most) return yield [at, 'unseen']
      const name = `${at}/${entry.name}`
      if (entry.isDirectory()) waiting.push(name)
      else yield [name, 'ref']
    }
  }
}

/** null for a link, and where it cannot be read. A name that is not text leads nowhere, so this is null there too. */
function listRefs(path: string): Dirent[] | null {
  try {
    return isDirectoryItself(path) ? readdirSync(path, { withFileTypes: true }) : null
  } catch {
    return null
  }
}

function readPacked(dir: string): OwnRefs {
  const path = join(dir, 'packed-refs')
  const said = readSmallFile(path)
  return { refs: parsePackedRefs(said ?? ''), whole: said !== null || lstatIfThere(path) === null }
}

/** Each line is `object ref`. A line of another form says more about the line before and is skipped. */
export const parsePackedRefs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [object = '', ref] = line.split(' ')
      return ref !== undefined && OBJECT.test(object) ? [[ref, object] as const] : []
    }),
  )

/**
 * null where it is not a file, or has more bytes than `most`. Never follows a link, which could lead anywhere, or waits
 * for a pipe.
 */
export const readSmallFile = (path: string, most = LARGEST): string | null =>
  readTextIfRegular(path, { most, links: 'refused' })

/**
 * What an agent has put on the way gets another name, so that nothing is written through a link and no branch is lost.
 * Throws E_GIT_FAILED where this is no name of a ref.
 */
export async function writeOwnRef(dir: string, ref: string, commit: ObjectId): Promise<void> {
  if (!isPlainRef(ref)) throw new AgencyError('E_GIT_FAILED', `${ref} is no name of a ref`)
  for (const parent of parentsOf(ref).map((name) => join(dir, name))) {
    if (isDirectoryItself(parent)) continue
    if (lstatIfThere(parent) !== null) giveWay(parent)
    mkdirSync(parent, { mode: DIR_MODE })
  }
  await writeOwnFile(join(dir, ref), `${commit}\n`)
}

/** The directory that it lies in has to be known as real. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  if (isDirectoryItself(path)) giveWay(path)
  await writeAtomic(path, text)
}

const giveWay = (path: string): void => renameSync(path, `${path}-replaced-${Date.now()}`)

export interface OwnHeads {
  /** Reads the objects of the sandbox's own repository too. */
  readonly git: RepositoryGit
  /** The git directory. */
  readonly dir: string
  /** What counts as HEAD where the repository has no HEAD. */
  readonly fallbackHead: ObjectId
}

/** What a private HEAD names is a commit, never the branch: that branch is in the sandbox's repository only. */
export function ownHeads({ git, dir, fallbackHead }: OwnHeads): Heads {
  const look = () => lookAtHead(dir)
  const read = async (): Promise<Head> => {
    const read_at = notedMoment()
    const { head_ref, commit, stamp } = look()
    const found = commit === null ? null : await resolveHead(git.store, commit)
    if (found !== null) return { ...found, head_ref, unborn: false, read_at, stamp }
    const fallback = await resolveHead(git.store, fallbackHead)
    if (fallback === null) throw new AgencyError('E_GIT_FAILED', `the commit ${fallbackHead} is missing`)
    return { ...fallback, head_ref, unborn: true, read_at, stamp }
  }
  return { said: () => look().commit, read, hasMoved: async ({ stamp }) => stamp !== look().stamp }
}

function lookAtHead(dir: string) {
  const said = readHeadFile(dir)
  const head_ref = said?.startsWith('ref: ') === true ? said.slice('ref: '.length) : null
  const commit = head_ref === null ? said : readOwnRef(dir, head_ref)
  return {
    head_ref,
    commit: commit === null ? null : parseObjectId(commit),
    stamp: `${said ?? ''},${commit ?? ''}`,
  }
}
