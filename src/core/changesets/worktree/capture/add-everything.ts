// A `git add -A` that always comes to an end. git's own stops at the first file that vanishes, is cut short or cannot
// be read; here such paths are set aside, tried again one by one, and named if git cannot hold them.

import type { Git, GitResult } from '../../../doors/effects.ts'
import { nullUnlessStuck } from '../../../doors/git/git.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { LONGEST_PATH, lstatIfThere } from '../../../doors/system/files.ts'
import { AgencyError } from '../../../model/errors.ts'
import { rawBytes, rawOf, showRaw } from '../../../model/raw-bytes.ts'
import { addInParts, tryUpdate } from './add-in-parts.ts'
import { explainComplaint, readComplaints, readFatal, type Unheld } from './git-complaints.ts'

export type Added =
  | { readonly done: true; readonly incomplete: readonly Unheld[] }
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
  if (result === null || result.exitCode === 128) return giveUp(git, request, result)
  const { incomplete, retry } = readComplaints(result.stderr)
  const unread = new Set(request.leftOut.map(showRaw))
  const unheld = [...incomplete]
  for (const path of new Set([...setAside, ...retry])) {
    const failed = unread.has(path) ? null : await addOne(git, { tree, path, index: request.index })
    if (failed !== null) unheld.push({ path, why: explainComplaint(failed) })
  }
  return { done: true, incomplete: unheld }
}

/** Where git would end at the same place again, the rest is added in parts. */
async function giveUp(git: Git, request: AddRequest, result: GitResult | null): Promise<Added> {
  const said = result?.stderr.trim() ?? 'git was ended by a signal'
  const { paths, lasting } = readFatal(said)
  const known = paths.length > 0 && paths.every((path) => request.setAside.includes(path))
  if (result !== null && (lasting || known)) return { done: true, incomplete: await addInParts(git, request) }
  return { done: false, said, setAside: [...request.setAside, ...paths] }
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

interface OnePath {
  readonly tree: string
  readonly path: string
  readonly index: string
}

/** null where the index now says of this path what the tree says; otherwise what git said. */
async function addOne(git: Git, { tree, path, index }: OnePath): Promise<string | null> {
  // The name is not UTF-8, so it reached us damaged and cannot be looked up.
  if (path.includes('\ufffd')) return ''
  let failed: string | null = ''
  for (let attempt = 0; attempt < 3 && failed !== null; attempt++) {
    failed = await tryUpdate(git, [rawOf(path)], index)
  }
  return failed !== null && isGone(tree, path) ? null : failed
}

/** A path that is too long to be looked at is not gone. */
function isGone(tree: string, path: string): boolean {
  const full = Buffer.concat([Buffer.from(`${tree}/`), rawBytes(rawOf(path))])
  return full.length < LONGEST_PATH && lstatIfThere(full) === null
}
