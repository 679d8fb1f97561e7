import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findOddFiles,
  type GitReads,
  gitStuck,
  NO_READS,
  ODD_DIR,
  refuseOddFiles,
} from '../../../../src/core/doors/git/git-reads.ts'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import { git, makeRepository, makeScratch } from '../../../support/git/repository.ts'

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  pipe: (path) => void execFileSync('mkfifo', [path]),
  device: (path) => symlinkSync('/dev/zero', path),
  terabyte: (path) => {
    writeFileSync(path, '')
    truncateSync(path, 2 ** 40)
  },
}

function makePlace(): { root: string; reads: GitReads } {
  const root = makeRepository(join(makeScratch(), 'repo'))
  const linked = join(root, '../linked')
  git(root, 'worktree', 'add', '-q', '-b', 'agency/sandbox-1', linked)
  const commonDir = join(root, '.git')
  return {
    root,
    reads: { commonDir, gitDir: join(commonDir, 'worktrees/linked'), treePath: linked, everyTree: false },
  }
}

function put(path: string, kind: string): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  KINDS[kind]?.(path)
}

const READ = ['packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'objects/info/alternates'].map(
  (name) => `commonDir/${name}`,
)
const OWN = ['HEAD', 'index', 'commondir', 'gitdir', 'info/sparse-checkout', 'config.worktree'].map(
  (name) => `gitDir/${name}`,
)
const RULES = ['.gitignore', '.gitattributes', '.gitmodules'].map((name) => `treePath/${name}`)

test('git is not asked where it would read a pipe or worse in the place of any of its files', () => {
  const { reads } = makePlace()
  refuseOddFiles(reads)
  for (const where of [...READ, ...OWN, ...RULES]) {
    const [place, ...names] = where.split('/')
    const path = join(reads[place as 'commonDir'] ?? '', ...names)
    const before = existsSync(path) ? readFileSync(path) : null
    for (const kind of Object.keys(KINDS)) {
      put(path, kind)
      // git does not follow a link that is a rule of a tree.
      const said = kind === 'device' && place === 'treePath' ? [] : [path]
      expect(refusedPaths(reads), `${where}: ${kind}`).toEqual(said)
      expect(findOddFiles(reads).map((odd) => odd.path)).toEqual(said)
    }
    rmSync(path)
    if (before !== null) writeFileSync(path, before)
  }
})

function refusedPaths(reads: GitReads): unknown[] {
  try {
    refuseOddFiles(reads)
    return []
  } catch (error) {
    return error instanceof AgencyError && error.code === 'E_FILE_UNREADABLE'
      ? [error.details['path']]
      : [error]
  }
}

test.each(Object.keys(KINDS))('a branch of a sandbox that is a %s is moved aside, and no other', (kind) => {
  const { root, reads } = makePlace()
  git(root, 'branch', 'agency/sandbox-2')
  const path = join(root, '.git/refs/heads/agency/sandbox-1')
  put(path, kind)
  refuseOddFiles({ ...NO_READS, commonDir: reads.commonDir })
  expect(existsSync(path)).toBe(false)
  expect(readdirSync(join(root, '.git', ODD_DIR))).toEqual([
    expect.stringMatching(/^refs\+heads\+agency\+sandbox-1\+\d+$/),
  ])
  expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe(
    'refs/heads/agency/sandbox-2\nrefs/heads/main',
  )
})

test.each(Object.keys(KINDS))(
  'a note of another work tree that is a %s does not stop who lists all',
  (kind) => {
    const { root, reads } = makePlace()
    for (const name of ['HEAD', 'gitdir', 'locked']) put(join(reads.gitDir ?? '', name), kind)
    refuseOddFiles({ ...NO_READS, commonDir: reads.commonDir, everyTree: true })
    expect(readdirSync(join(root, '.git', ODD_DIR))).toHaveLength(3)
    git(root, 'worktree', 'list')
  },
)

test('the error of a git that got stuck names what it may have waited in, however deep', () => {
  const { reads } = makePlace()
  const deep = join(reads.treePath ?? '', 'a/b/.gitignore')
  const nested = join(reads.treePath ?? '', 'c/.git/HEAD')
  const ref = join(reads.commonDir ?? '', 'refs/tags/v1')
  for (const path of [deep, nested, ref]) put(path, 'pipe')
  const { code, message, details } = gitStuck('status', reads)
  expect(code).toBe('E_GIT_STUCK')
  expect(message).toContain('it is a named pipe')
  expect([...(details['paths'] as string[])].sort()).toEqual([deep, nested, ref].sort())
})
