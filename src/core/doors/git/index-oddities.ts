// Some entries of an index would make `git add` miss an edit or run what an agent wrote. They are set right in a
// private copy before anything is added. An entry for a nested repository makes git run `git status` inside it, with
// that repository's own configuration (fsmonitor, filters): such entries are frozen. Entries that are assumed
// unchanged, or that a sparse checkout leaves out although the file is there, are made ordinary.

import { readdirSync } from 'node:fs'
import { rawBytes, rawInput } from '../../model/raw-bytes.ts'
import { GITLINK_MODE } from '../../model/raw-diff.ts'
import type { Git } from '../effects.ts'
import { lstatIfThere } from '../system/files.ts'
import { seedFromHead } from './scratch-index.ts'

/**
 * For each call on a private index: its flags are ours, and git must write it whole, not split. Times are believed
 * whatever the person has configured: nobody can set the time of a change.
 */
export const PRIVATE_INDEX = [
  '-c',
  'core.sparseCheckout=false',
  '-c',
  'core.splitIndex=false',
  '-c',
  'core.safecrlf=false',
  '-c',
  'core.trustctime=true',
  '-c',
  'core.checkStat=default',
] as const

export interface IndexEntry {
  /** As `ls-files -v` prints it: lowercase means assumed unchanged, S means left out. */
  readonly tag: string
  readonly gitlink: boolean
  readonly object: string
  /** Raw. */
  readonly path: string
}

/** Returns the raw paths of the nested repositories that the index names. */
export async function settleOddities(git: Git, tree: string): Promise<string[]> {
  const odd = await listOddities(git)
  if (odd.length === 0) return []
  const links = odd.filter((entry) => entry.gitlink)
  const files = odd.filter((entry) => !entry.gitlink)
  const there = (entry: IndexEntry): boolean => entryKindAt(tree, entry.path) !== 'nothing'
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
  const nested = links.filter((entry) => entryKindAt(tree, entry.path).endsWith('directory'))
  await flag(git, '--skip-worktree', nested)
  await removeEntries(
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

/** Reads `ls-files -s -v -z`. Decodes odd entries only, because an index may hold 100,000 ordinary ones. */
export function findOddities(output: Buffer): IndexEntry[] {
  const odd: IndexEntry[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at)
    if (end < 0) break
    if (!isOrdinaryEntry(output, at)) {
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
function isOrdinaryEntry(output: Buffer, at: number): boolean {
  const tag = output[at]
  return (tag === 0x48 || tag === 0x4d) && output[at + 3] !== 0x36
}

export const isDirectory = (tree: string, path: string): boolean =>
  entryKindAt(tree, path).endsWith('directory')

export const holdsFiles = (tree: string, path: string): boolean => entryKindAt(tree, path) === 'directory'

type Kind = 'nothing' | 'file' | 'empty directory' | 'directory'

function entryKindAt(tree: string, path: string): Kind {
  const full = Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)])
  const there = lstatIfThere(full)
  if (there === null) return 'nothing'
  if (!there.isDirectory()) return 'file'
  return isEmptyDirectory(full) ? 'empty directory' : 'directory'
}

/** A directory that cannot be read counts as one with something in it. */
function isEmptyDirectory(directory: Buffer): boolean {
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

/** Takes them out before git looks, so that a repository that appears there a moment later is not looked into. */
async function removeEntries(git: Git, entries: readonly IndexEntry[]): Promise<void> {
  await setEntries(git, entries.map(removal))
}

export interface EntryChange {
  /** `0` removes the entry. */
  readonly mode: string
  readonly object: string
  /** Raw. */
  readonly path: string
}

/** The change that takes a path out. `object` only shows how long object names are in this repository. */
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
