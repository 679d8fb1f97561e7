// What an index may hold that would make `git add` miss an edit or run what an agent wrote, set right in a private
// copy before anything is added. An entry for a nested repository makes git run `git status` inside it, with that
// repository's own configuration (fsmonitor, filters): such entries are frozen first. Entries that are assumed
// unchanged, or left out by a sparse checkout although the file is there, are made ordinary.

import { readdirSync } from 'node:fs'
import { rawBytes, rawInput } from '../../model/raw-bytes.ts'
import { GITLINK_MODE } from '../../model/raw-diff.ts'
import type { Git } from '../effects.ts'
import { lstatIfThere } from '../system/files.ts'
import { seedFromHead } from './scratch-index.ts'

/** For each call on a private index: the flags in it are ours, and it is written whole. */
export const PRIVATE_INDEX = [
  '-c',
  'core.sparseCheckout=false',
  '-c',
  'core.splitIndex=false',
  '-c',
  'core.safecrlf=false',
] as const

export interface IndexEntry {
  /** As `ls-files -v` prints it: lowercase where assumed unchanged, S where skipped. */
  readonly tag: string
  readonly gitlink: boolean
  readonly object: string
  /** Raw. */
  readonly path: string
}

/** Raw paths of the nested repositories that the index names. */
export async function settleOddities(git: Git, tree: string): Promise<string[]> {
  const odd = await listOddities(git)
  if (odd.length === 0) return []
  const links = odd.filter((entry) => entry.gitlink)
  const files = odd.filter((entry) => !entry.gitlink)
  const there = (entry: IndexEntry): boolean => kindAt(tree, entry.path) !== 'nothing'
  await flag(
    git,
    '--no-assume-unchanged',
    files.filter((entry) => entry.tag !== entry.tag.toUpperCase()),
  )
  await flag(
    git,
    '--no-skip-worktree',
    files.filter((entry) => entry.tag.toUpperCase() === 'S' && there(entry)),
  )
  const nested = links.filter((entry) => kindAt(tree, entry.path).endsWith('directory'))
  await flag(git, '--skip-worktree', nested)
  await dropEntries(
    git,
    links.filter((entry) => !nested.includes(entry)),
  )
  return nested.map((entry) => entry.path)
}

async function listOddities(git: Git): Promise<IndexEntry[]> {
  const list = () => git.run([...PRIVATE_INDEX, 'ls-files', '-s', '-v', '-z'], { answers: [128] })
  const listed = await list()
  if (listed.exitCode === 0) return findOddities(listed.stdout)
  await seedFromHead(git)
  return findOddities((await list()).stdout)
}

/** Reads `ls-files -s -v -z`, decoding odd entries only: an index may hold 100,000 ordinary ones. */
export function findOddities(output: Buffer): IndexEntry[] {
  const odd: IndexEntry[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    if (end < 0) break
    if (!isOrdinary(output, at)) {
      const line = output.toString('latin1', at, end)
      const path = line.slice(line.indexOf('\t') + 1)
      const [tag = '', mode = '', object = ''] = line.split(' ', 3)
      odd.push({ tag, gitlink: mode === GITLINK_MODE, object, path })
    }
    at = end + 1
  }
  return odd
}

/** `H 100644 …` or `M …`: no flag, and a file or symbolic link. */
function isOrdinary(output: Buffer, at: number): boolean {
  const tag = output[at]
  return (tag === 0x48 || tag === 0x4d) && output[at + 3] !== 0x36
}

export const isDirectory = (tree: string, path: string): boolean => kindAt(tree, path).endsWith('directory')

export const holdsFiles = (tree: string, path: string): boolean => kindAt(tree, path) === 'directory'

type Kind = 'nothing' | 'file' | 'empty directory' | 'directory'

function kindAt(tree: string, path: string): Kind {
  const full = Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)])
  const there = lstatIfThere(full)
  if (there === null) return 'nothing'
  if (!there.isDirectory()) return 'file'
  return isEmpty(full) ? 'empty directory' : 'directory'
}

/** One that cannot be read counts as one that holds something. */
function isEmpty(directory: Buffer): boolean {
  try {
    return readdirSync(directory).length === 0
  } catch {
    return false
  }
}

async function flag(git: Git, name: string, entries: readonly IndexEntry[]): Promise<void> {
  if (entries.length === 0) return
  const input = rawInput(entries.map((entry) => entry.path))
  await git.run([...PRIVATE_INDEX, 'update-index', name, '-z', '--stdin'], { input })
}

/** Gone before git looks, so that a repository which appears there a moment later is not looked into. */
async function dropEntries(git: Git, entries: readonly IndexEntry[]): Promise<void> {
  await setEntries(git, entries.map(removal))
}

export interface EntryChange {
  /** `0` removes. */
  readonly mode: string
  readonly object: string
  /** Raw. */
  readonly path: string
}

/** An entry change that takes the path out; the object's length says which kind of object names there are. */
export const removal = ({ path, object }: Pick<EntryChange, 'path' | 'object'>): EntryChange => ({
  mode: '0',
  object: '0'.repeat(object.length),
  path,
})

export async function setEntries(git: Git, changes: readonly EntryChange[]): Promise<void> {
  if (changes.length === 0) return
  const input = rawInput(changes.map(({ mode, object, path }) => `${mode} ${object}\t${path}`))
  await git.run([...PRIVATE_INDEX, 'update-index', '-z', '--index-info'], { input })
}
