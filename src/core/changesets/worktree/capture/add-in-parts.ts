// Adds what has changed although git ends at some of it: what git cannot add is found by halves and named, and the rest
// is added. For files at which git would end again and again: a required filter that fails, an encoding that is wrong.

import { rmSync } from 'node:fs'
import type { Git, GitResult } from '../../../doors/effects.ts'
import { PRIVATE_INDEX } from '../../../doors/git/index-oddities.ts'
import { rawFields, rawInput, showRaw } from '../../../model/raw-bytes.ts'
import { explainComplaint, shortenPath, type Unheld } from './git-complaints.ts'

export interface PartsRequest {
  /** Path of the private index, which nobody else writes. */
  readonly index: string
  /** Raw paths that are not to be read at all. */
  readonly leftOut: readonly string[]
  readonly trackedOnly: boolean
}

export async function addInParts(git: Git, request: PartsRequest): Promise<Unheld[]> {
  const changed = await listChanged(git, request.trackedOnly)
  const without = new Set(request.leftOut)
  const wanted = changed.filter((path) => !without.has(path))
  const nested = wanted.filter((path) => path.endsWith('/'))
  const files = wanted.filter((path) => !path.endsWith('/'))
  return [
    ...nested.map((path) => ({ path: showRaw(path.slice(0, -1)), why: 'it is a repository of its own' })),
    ...(await addHalves(git, files, request.index)),
  ]
}

/** Without reading any file: those that only look changed are among them. A nested repository ends with a slash. */
export async function listChanged(git: Git, trackedOnly: boolean): Promise<string[]> {
  const edited = await git.run([
    ...PRIVATE_INDEX,
    'diff-files',
    '--name-only',
    '--ignore-submodules=all',
    '-z',
  ])
  if (trackedOnly) return rawFields(edited.stdout)
  const unknown = await git.run([...PRIVATE_INDEX, 'ls-files', '-o', '--exclude-standard', '-z'])
  return [...new Set([...rawFields(edited.stdout), ...rawFields(unknown.stdout)])]
}

async function addHalves(git: Git, paths: readonly string[], index: string): Promise<Unheld[]> {
  if (paths.length === 0) return []
  const failed = await tryUpdate(git, paths, index)
  if (failed === null) return []
  const [path] = paths
  if (path !== undefined && paths.length === 1)
    return [{ path: shortenPath(showRaw(path)), why: explainComplaint(failed) }]
  const middle = paths.length >> 1
  return [
    ...(await addHalves(git, paths.slice(0, middle), index)),
    ...(await addHalves(git, paths.slice(middle), index)),
  ]
}

/** Adds these raw paths to the private index. null where all of them are in it now; otherwise what git said. */
export async function tryUpdate(git: Git, paths: readonly string[], index: string): Promise<string | null> {
  const args = [...PRIVATE_INDEX, 'update-index', '--add', '--remove', '--replace', '-z', '--stdin']
  const result: GitResult | null = await git
    .run(args, { input: rawInput(paths), answers: [1, 128] })
    .catch(() => null)
  // A git that was ended by a signal leaves its lock, which would stop every later git.
  if (result === null) rmSync(`${index}.lock`, { force: true })
  if (result === null) return 'git was ended by a signal'
  return result.exitCode === 0 && !/^Ignoring path /m.test(result.stderr) ? null : result.stderr.trim()
}
