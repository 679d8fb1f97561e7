// The files that every git opens at one place, and that an agent could have put a pipe in the place of: git would wait
// in it for ever. They are looked at before git is asked. Rules and refs of which there are many are looked at once git
// has got stuck, so that the error names what lies there.

import { type Dirent, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AgencyError } from '../../model/errors.ts'
import {
  DIR_MODE,
  isDirectoryItself,
  isErrno,
  listDirents,
  listNames,
  lstatIfThere,
  makeWay,
} from '../system/files.ts'
import { type FileBounds, INDEX_BOUNDS, NOTE_BOUNDS, oddityAt } from '../system/regular-file.ts'
import { COMMON_DIR, isBeingWritten, LISTED_NOTES, listLinkedDirs, whyUnlisted } from './linked-notes.ts'

export interface GitReads {
  /** The shared git directory; null where git finds it by itself. */
  readonly commonDir: string | null
  /** The git directory of one work tree. */
  readonly gitDir: string | null
  readonly treePath: string | null
  /** git looks at every linked work tree too. */
  readonly everyTree: boolean
}

export const NO_READS: GitReads = { commonDir: null, gitDir: null, treePath: null, everyTree: false }

export interface OddFile {
  readonly path: string
  /** In words, like 'it is a named pipe'. */
  readonly why: string
}

const SHARED_FILES = ['packed-refs', 'shallow', 'objects/info/alternates'] as const
const SHARED_RULES = ['info/exclude', 'info/attributes', 'info/sparse-checkout'] as const
const OWN_FILES = ['HEAD', 'index', 'commondir', 'gitdir', 'info/sparse-checkout', 'config.worktree'] as const
const REAL_FILES = ['HEAD', 'config'] as const
const TREE_RULES = ['.gitignore', '.gitattributes', '.gitmodules'] as const

/** Bytes. git reads such a file whole. */
const PACKED_BOUNDS: FileBounds = { most: 1 << 30, links: 'followed' }

/** Where it is kept, in the shared git directory. */
export const ODD_DIR = 'agency-odd'

/**
 * A pipe in the place of a sandbox's branch makes every git wait that lists branches, an endless file fills the memory,
 * and among the notes of a linked work tree either does so to every git that lists those. Others must not wait for one
 * sandbox, so it is moved aside. Nothing is deleted. What `commondir` says is known, so it is written anew.
 */
function clearWay({ commonDir, everyTree }: GitReads): void {
  if (commonDir === null) return
  for (const path of filesUnder(`${commonDir}/refs/heads/agency`)) {
    if (oddityAt(path, NOTE_BOUNDS) !== null) moveAside(commonDir, path)
  }
  if (!everyTree) return
  for (const { dir, name } of listUnlisted(commonDir)) {
    if (isBeingWritten(dir, name)) continue
    moveAside(commonDir, join(dir, name))
    if (name === 'commondir') writeCommonDir(dir)
  }
}

/** Another process may write it at the same time, or have git forget the work tree. */
function writeCommonDir(dir: string): void {
  try {
    writeFileSync(join(dir, 'commondir'), COMMON_DIR, { flag: 'wx' })
  } catch (error) {
    if (!isErrno(error, 'EEXIST') && !isErrno(error, 'ENOENT')) throw error
  }
}

const listUnlisted = (commonDir: string) =>
  listLinkedDirs(commonDir).flatMap((dir) =>
    LISTED_NOTES.flatMap((name) => {
      const why = whyUnlisted(dir, name)
      return why === null ? [] : [{ dir, name, why }]
    }),
  )

/** For a git that failed: the note that kept it from listing work trees. doctor puts there what belongs there. */
export function unlistedError({ commonDir, everyTree }: GitReads, said: string): AgencyError | null {
  const notes = commonDir === null || !everyTree ? [] : listUnlisted(commonDir)
  const found = notes.find(({ dir, name }) => said.includes(`worktrees/${basename(dir)}/${name}`))
  if (found === undefined) return null
  const odd = { path: join(found.dir, found.name), why: found.why }
  return new AgencyError('E_FILE_UNREADABLE', `${odd.path}: ${odd.why}`, {
    details: { ...odd },
    hint: 'agency doctor --fix',
  })
}

/** At any depth; no link is followed. */
function filesUnder(dir: string): string[] {
  if (!isDirectoryItself(dir)) return []
  return listDirents(dir).flatMap((entry) => {
    const path = `${dir}/${entry.name}`
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

/** Keeps it where git does not look. Another process may move it at the same time. */
export function moveAside(commonDir: string, path: string): void {
  const dir = join(commonDir, ODD_DIR)
  if (!isDirectoryItself(dir)) makeWay(dir)
  mkdirSync(dir, { recursive: true, mode: DIR_MODE })
  try {
    renameSync(path, join(dir, `${path.slice(commonDir.length + 1).replaceAll('/', '+')}+${Date.now()}`))
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

/** Throws E_FILE_UNREADABLE, naming the first. */
export function refuseOddFiles(reads: GitReads): void {
  clearWay(reads)
  for (const path of fixedFiles(reads)) {
    const why = oddityAt(path, boundsOf(path))
    if (why !== null) throw oddFile({ path, why })
  }
  for (const path of treeRules(reads)) {
    const why = rulesOddity(path)
    if (why !== null) throw oddFile({ path, why })
  }
}

/** All of them, with whatever else of theirs git reads there and is no file. Takes as long as there are directories. */
export const findOddFiles = (reads: GitReads): OddFile[] => [
  ...fixedFiles(reads).flatMap((path) => oddAt(path, oddityAt(path, boundsOf(path)))),
  ...(reads.commonDir === null ? [] : oddRefs(join(reads.commonDir, 'refs'))),
  ...(reads.treePath === null ? [] : oddRules(reads.treePath)),
]

export const gitStuck = (command: string, reads: GitReads): AgencyError => {
  const odd = findOddFiles(reads)
  const [first] = odd
  return new AgencyError(
    'E_GIT_STUCK',
    `git ${command} waited for something that never came, and was ended${first === undefined ? '' : `: ${first.path}: ${first.why}`}`,
    {
      details: { limit: 'STUCK', paths: odd.map(({ path }) => path) },
      ...(first === undefined ? {} : { hint: hintToMoveAway(first.path) }),
    },
  )
}

const oddFile = (odd: OddFile): AgencyError =>
  new AgencyError('E_FILE_UNREADABLE', `${odd.path}: ${odd.why}`, {
    details: { ...odd },
    hint: hintToMoveAway(odd.path),
  })

export function hintToMoveAway(path: string): string {
  const quoted = path.replaceAll("'", "'\\''")
  return `look at it, and move it away: mv '${quoted}' '${quoted}.odd'`
}

const boundsOf = (path: string): FileBounds => (path.endsWith('/index') ? INDEX_BOUNDS : PACKED_BOUNDS)

function fixedFiles({ commonDir, gitDir, everyTree }: GitReads): string[] {
  const shared =
    commonDir === null ? [] : [...SHARED_FILES, ...SHARED_RULES].map((name) => `${commonDir}/${name}`)
  const real = commonDir === null || !everyTree ? [] : REAL_FILES.map((name) => `${commonDir}/${name}`)
  // Links too: git follows them.
  const trees = commonDir === null || !everyTree ? [] : listNames(`${commonDir}/worktrees`)
  return [
    ...shared,
    ...real,
    ...(gitDir === null ? [] : OWN_FILES.map((name) => `${gitDir}/${name}`)),
    ...trees.flatMap((tree) => LISTED_NOTES.map((name) => `${commonDir}/worktrees/${tree}/${name}`)),
  ]
}

const treeRules = ({ treePath }: GitReads): string[] =>
  treePath === null ? [] : TREE_RULES.map((name) => `${treePath}/${name}`)

/** A link or a directory of such a name does not make git wait, and anyone may commit one. */
function rulesOddity(path: string): string | null {
  const there = lstatIfThere(path)
  if (there === null || there.isSymbolicLink() || there.isDirectory()) return null
  return oddityAt(path, RULES_BOUNDS)
}

const RULES_BOUNDS: FileBounds = { most: 64 << 20, links: 'refused' }

const oddAt = (path: string, why: string | null): OddFile[] => (why === null ? [] : [{ path, why }])

/** Loose refs that are no files. */
function oddRefs(dir: string): OddFile[] {
  return listDirents(dir).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) return oddRefs(path)
    return entry.isFile() || entry.isSymbolicLink() ? [] : oddAt(path, oddityAt(path, RULES_BOUNDS))
  })
}

/** Directories of a tree that are looked at: an agent may make any number. */
const MOST_DIRECTORIES = 20_000

/** Rules at any depth, and the git directories of nested repositories. */
function oddRules(tree: string): OddFile[] {
  const waiting = [tree]
  const found: OddFile[] = []
  for (let seen = 0; seen < MOST_DIRECTORIES; seen++) {
    const dir = waiting.shift()
    if (dir === undefined) break
    for (const entry of listDirents(dir)) {
      const path = join(dir, entry.name)
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(path)
      else found.push(...oddEntry(entry, path))
    }
  }
  return found
}

function oddEntry(entry: Dirent, path: string): OddFile[] {
  if (entry.name === '.git') return entry.isDirectory() ? oddNested(path) : []
  return TREE_RULES.some((name) => name === entry.name) ? oddAt(path, rulesOddity(path)) : []
}

const oddNested = (gitDir: string): OddFile[] => [
  ...[...OWN_FILES, ...SHARED_FILES, 'config'].flatMap((name) => {
    const path = join(gitDir, name)
    return oddAt(path, oddityAt(path, PACKED_BOUNDS))
  }),
  ...oddRefs(join(gitDir, 'refs')),
]
