// A `git add -A` that always comes to an end. git's own stops at the first file that vanishes, is cut short or cannot
// be read; here such paths are set aside, tried again one by one, and named if git cannot hold them.

import { rmSync } from 'node:fs'
import type { Git, GitResult } from '../../../doors/effects.ts'
import { nullUnlessStuck } from '../../../doors/git/git.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { lstatIfThere } from '../../../doors/system/files.ts'
import { AgencyError } from '../../../model/errors.ts'
import { rawBytes, rawInput, rawOf, showRaw } from '../../../model/raw-bytes.ts'

export type Added =
  | { readonly done: true /** As shown. */; readonly incomplete: readonly string[] }
  /** git gave up half-way. The caller starts again with a fresh index and leaves these paths out at first. */
  | { readonly done: false; readonly setAside: readonly string[]; readonly said: string }

export interface AddRequest {
  /** Path of the private index, which nobody else writes. */
  readonly index: string
  /** Paths at which git gave up before. */
  readonly setAside: readonly string[]
  /** Raw paths that are not to be read at all. */
  readonly leftOut: readonly string[]
  readonly trackedOnly: boolean
}

export async function addEverything(git: Git, tree: string, request: AddRequest): Promise<Added> {
  const { setAside } = request
  const result = await tryAdd(git, request)
  if (result === null || result.exitCode === 128) {
    const said = result?.stderr.trim() ?? 'git was ended by a signal'
    return { done: false, said, setAside: [...setAside, ...readFatalPaths(said)] }
  }
  const { incomplete, retry } = readComplaints(result.stderr)
  const unread = new Set(request.leftOut.map(showRaw))
  for (const path of new Set([...setAside, ...retry])) {
    if (!unread.has(path) && !(await addOne(git, { tree, path, index: request.index }))) incomplete.push(path)
  }
  return { done: true, incomplete }
}

/** null where a signal ended it: a file that is cut short while git maps it ends git by SIGBUS. */
async function tryAdd(git: Git, { setAside, leftOut, trackedOnly }: AddRequest): Promise<GitResult | null> {
  const but = [...setAside, ...leftOut.map(showRaw)].map((path) => `:(top,exclude,literal)${path}`)
  const paths = but.length === 0 ? [] : ['--', '.', ...but]
  const args = [
    '--no-literal-pathspecs',
    ...PRIVATE_INDEX,
    'add',
    trackedOnly ? '-u' : '-A',
    '--sparse',
    '--ignore-errors',
    ...paths,
  ]
  try {
    return await git.run(args, { answers: [1, 128] })
  } catch (error) {
    if (error instanceof AgencyError && error.details['exit_code'] === undefined)
      return nullUnlessStuck(error)
    throw error
  }
}

/** `fatal: unable to stat 'PATH': No such file or directory` and its kin. */
const readFatalPaths = (said: string): string[] =>
  [...said.matchAll(/^fatal: [^'\n]*'(.+)'(?::.*)?$/gm)].flatMap((match) => match[1] ?? [])

export interface Complaints {
  readonly incomplete: string[]
  /** Paths that git may have complained about only because they changed at that moment. */
  readonly retry: readonly string[]
}

const NO_COMMIT = /^error: '(.+)\/' does not have a commit checked out$/gm
const CLOSED_DIRECTORY = /^warning: could not open directory '(.+?)\/?': .*$/gm
const NOT_INDEXED = /^error: unable to index file '(.+)'$/gm
const NOT_A_FILE = /^error: (.+): can only add regular files, symbolic links or git-directories$/gm

/** Pure: what `git add --ignore-errors` said it left out. */
export function readComplaints(stderr: string): Complaints {
  const all = (pattern: RegExp): string[] => [...stderr.matchAll(pattern)].flatMap((match) => match[1] ?? [])
  const incomplete = [...all(NO_COMMIT), ...all(CLOSED_DIRECTORY)]
  const retry = [...all(NOT_INDEXED), ...all(NOT_A_FILE)].filter((path) => !path.endsWith('/'))
  return { incomplete, retry }
}

interface OnePath {
  readonly tree: string
  readonly path: string
  readonly index: string
}

/** True where the index now says of this path what the tree says. */
async function addOne(git: Git, { tree, path, index }: OnePath): Promise<boolean> {
  // The name is not UTF-8, so it reached us damaged and cannot be looked up.
  if (path.includes('\ufffd')) return false
  const input = rawInput([rawOf(path)])
  for (let attempt = 0; attempt < 3; attempt++) {
    const result = await git
      .run([...PRIVATE_INDEX, 'update-index', '--add', '--remove', '-z', '--stdin'], {
        input,
        answers: [1, 128],
      })
      .catch(nullUnlessStuck)
    if (result?.exitCode === 0) return true
    // A git that was ended by a signal leaves its lock, which would stop every later git.
    if (result === null) rmSync(`${index}.lock`, { force: true })
  }
  return isGone(tree, path)
}

function isGone(tree: string, path: string): boolean {
  const full = Buffer.concat([Buffer.from(`${tree}/`), rawBytes(rawOf(path))])
  return lstatIfThere(full) === null
}
