// What git can still reach: from every ref, from the HEAD, the index and the unfinished work of every linked worktree, in
// every repository of a case. Reflogs do not count, as the README says: commits that an agent dropped are not kept.

import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Reached {
  /** Every object. */
  readonly ids: Set<string>
  /** Commits that an agent or a person made, and what lies in an index: with a word about each. */
  readonly made: Map<string, string>
  /** What git said of repositories that it could not read. */
  readonly unread: string[]
}

/** Files in a git directory that are no refs, and that name commits. */
const STATE = [
  ...[
    'HEAD',
    'MERGE_HEAD',
    'CHERRY_PICK_HEAD',
    'REVERT_HEAD',
    'REBASE_HEAD',
    'AUTO_MERGE',
    'MERGE_AUTOSTASH',
  ],
  ...['rebase-merge/autostash', 'rebase-merge/onto', 'rebase-merge/orig-head', 'rebase-merge/stopped-sha'],
  ...['rebase-apply/autostash', 'rebase-apply/orig-head', 'BISECT_START'],
]
/** The blob that `add -N` names, which need not be there. */
const EMPTY = /^(e69de29bb2d1|473a0f4c3be8)/
const MOST = 1_000_000
const TIME = 60_000

export async function readReached(
  gitDirs: readonly Buffer[],
  env: Readonly<Record<string, string>>,
): Promise<Reached> {
  const reached: Reached = { ids: new Set(), made: new Map(), unread: [] }
  const repositories = groupByRepository(gitDirs.map((dir) => dir.toString('latin1')))
  for (const [common, dirs] of repositories) {
    const tips: string[] = []
    for (const dir of dirs) tips.push(...readState(dir), ...readRefs(join(dir, 'refs')))
    for (const dir of dirs) {
      for (const [id, path] of await readIndex(common, join(dir, 'index'), env)) {
        reached.made.set(id, `index of ${path}`)
        tips.push(id)
      }
    }
    await reachFrom(common, [...new Set(tips)], { env, reached })
  }
  return reached
}

/** From a common directory to it and its linked ones. */
function groupByRepository(dirs: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const dir of dirs) {
    const linked = basename(dirname(dir)) === 'worktrees' ? dirname(dirname(dir)) : dir
    const common = existsSync(raw(join(linked, 'objects'))) ? linked : null
    if (common !== null && existsSync(raw(join(common, 'HEAD'))))
      groups.set(common, [...(groups.get(common) ?? []), dir])
  }
  return groups
}

const raw = (path: string): Buffer => Buffer.from(path, 'latin1')

const readState = (dir: string): string[] => STATE.flatMap((name) => idsIn(join(dir, name)))

/** An agent may have put anything there, so only small files are opened. */
function readSmall(path: string): Buffer | null {
  try {
    const stat = lstatSync(raw(path))
    return stat.isFile() && stat.size < MOST ? readFileSync(raw(path)) : null
  } catch {
    return null
  }
}

const idsIn = (path: string): string[] =>
  readSmall(path)
    ?.toString('latin1')
    .match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []

function readRefs(dir: string): string[] {
  try {
    return readdirSync(raw(dir), { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
      const path = join(dir, entry.name.toString('latin1'))
      return entry.isDirectory() ? readRefs(path) : idsIn(path)
    })
  } catch {
    return []
  }
}

async function readIndex(
  common: string,
  index: string,
  env: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  if (readSmall(index) === null) return found
  const { stdout } = await runGit(common, ['ls-files', '-s', '-z'], { env, index })
  for (const line of stdout.split('\0')) {
    const [, mode, id = '', path = ''] = /^(\d+) (\w+) \d\t(.*)/s.exec(line) ?? []
    if (id !== '' && mode !== '160000' && !EMPTY.test(id)) found.set(id, path)
  }
  return found
}

interface Reaching {
  readonly env: Readonly<Record<string, string>>
  readonly reached: Reached
}

async function reachFrom(common: string, tips: readonly string[], { env, reached }: Reaching): Promise<void> {
  const args = [
    'rev-list',
    '--objects',
    // In this order: HEADs of linked worktrees are read by us, because git waits for one that is a pipe.
    '--single-worktree',
    '--all',
    '--ignore-missing',
    '--stdin',
    '--format=%cn %s',
  ]
  const { stdout, stderr, failed } = await runGit(common, args, {
    env,
    input: tips.map((tip) => `${tip}\n`).join(''),
  })
  if (failed) reached.unread.push(`${common}: ${stderr}`)
  let commit = ''
  for (const line of stdout.split('\n')) {
    if (commit !== '') {
      if (line.startsWith('Maker '))
        reached.made.set(commit, `commit of ${nameCommit(line.slice('Maker '.length))}`)
      commit = ''
      continue
    }
    const [first = '', second = ''] = line.split(' ', 2)
    if (first === 'commit') commit = second
    reached.ids.add(first === 'commit' ? second : first)
  }
}

/** Git's own words for a stash differ by branch and commit. */
const nameCommit = (subject: string): string => subject.replace(/^(index on|WIP on|On) .*/, '$1, a stash')

interface GitRun {
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
  readonly index?: string
}

/** Bytes go in and come out as one character each. */
function runGit(
  common: string,
  args: readonly string[],
  { env, input = '', index }: GitRun,
): Promise<{ stdout: string; stderr: string; failed: boolean }> {
  return new Promise((resolve) => {
    const script = [
      // What an agent has left may make git take all there is.
      'ulimit -v 4000000',
      `d=${octal(common)}`,
      ...(index === undefined ? [] : [`GIT_INDEX_FILE=${octal(index)}`, 'export GIT_INDEX_FILE']),
      // Its settings may name a work tree that is gone: a submodule in the trash has its tree beside it, and undo brings both.
      'exec git --git-dir="$d" --work-tree="$d" "$@"',
    ].join('\n')
    const child = execFile(
      'sh',
      ['-c', script, 'sh', ...args],
      {
        env: { ...env, GIT_OPTIONAL_LOCKS: '0', ACTOR: 'account' },
        encoding: 'latin1',
        maxBuffer: 2 ** 28,
        timeout: TIME,
      },
      (error, stdout, stderr) => resolve({ stdout, stderr, failed: error !== null }),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input, 'latin1')
  })
}

/** A path that is not text cannot be an argument or in the environment of a process of node's, so `sh` makes it. */
const octal = (path: string): string =>
  `"$(printf %b '${[...raw(path)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('')}')"`
