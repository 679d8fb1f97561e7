// Repositories that lie at odd paths, and refs and files that have the names of others: every verb works, or says that
// it cannot before anything is made.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { git, makeRepository, makeScratch } from '../support/git/repository.ts'
import { type Desk, makeDesk, PROGRAM, sitDown } from '../support/processes/cli.ts'
import { sample } from '../support/run/sampled.ts'

/** Each verb once, in an order in which each has something to do. */
async function everyVerb(desk: Desk): Promise<void> {
  const { branch } = await desk.worktree('feature')
  const start = async (): Promise<string> => {
    const { invocation_id } = await desk.start('feature', 'echo more >> README.md; echo new > "a new file"')
    await desk.run(['agent', 'wait', invocation_id])
    return invocation_id
  }
  const discarded = await start()
  expect((await desk.run(['agent', 'diff', discarded])).stdout).toContain('a new file')
  await desk.data('checkpoint', 'create', discarded)
  await desk.data('checkpoint', 'apply', discarded, '1')
  await desk.data('undo')
  await desk.data('agent', 'discard', discarded)
  await desk.data('undo')
  await desk.data('redo')
  await desk.data('agent', 'land', await start(), '--apply')
  expect(git(desk.root, 'show', `refs/heads/${branch}:a new file`)).toContain('new')
  await desk.data('undo')
  await desk.data('redo')
  await desk.data('worktree', 'rm', 'feature')
  await desk.data('undo')
  await desk.data('worktree', 'ls')
  await desk.data('gc')
  const { findings } = await desk.data<{ findings: readonly { level: string }[] }>('doctor', '--fix')
  expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
}

/** Writes the ref itself, because git's own commands refuse some of these names. */
const ref = (desk: Desk, ...names: readonly string[]): void => {
  for (const name of names) git(desk.root, 'update-ref', name, elsewhere(desk))
}

const elsewhere = (desk: Desk): string =>
  git(
    desk.root,
    'commit-tree',
    '-m',
    'another one',
    `${git(desk.root, 'hash-object', '-w', '-t', 'tree', '/dev/null').trim()}`,
  ).trim()

function deskAt(place: string, data: string): Desk {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, place, 'repo'))
  return sitDown(scratch, root, { AGENCY_DATA_DIR: join(scratch, data, 'in it') })
}

const ODD: readonly [string, () => Desk | Promise<Desk>][] = [
  ['the path of a repository has a newline, and so has its data directory', () => deskAt('re\npo', 'da\nta')],
  [
    'the path of a repository has what shells, globs, formats and options take for theirs',
    () => deskAt(`-*?[a]%(refname)$HOME"it's"\\\t`, `-:(top)*"it's"\\\t`),
  ],
  [
    'tags, remotes, branches and files have the name of a branch, of HEAD or of an option',
    () => {
      const files = ['main', 'HEAD', 'heads/main', 'refs/heads/main', '--help', 'README.md']
      const desk = makeDesk(Object.fromEntries(files.map((name) => [name, `${name}\n`])))
      ref(desk, 'refs/tags/main', 'refs/tags/heads/main', 'refs/remotes/main', 'refs/main')
      ref(desk, 'refs/heads/heads/main', 'refs/heads/refs/heads/main', 'refs/heads/tags/main')
      ref(desk, 'refs/heads/HEAD', 'refs/tags/HEAD', 'refs/heads/--help', 'refs/tags/--all')
      return desk
    },
  ],
  [
    'packed tags have the names that our own branches get',
    async () => {
      const desk = makeDesk()
      const { branch } = await desk.worktree('beside')
      ref(desk, `refs/tags/${branch}`, `refs/heads/heads/${branch}`)
      git(desk.root, 'pack-refs', '--all')
      const { invocation_id: id } = await desk.start('beside', 'echo more >> README.md')
      ref(desk, `refs/tags/agency/sandbox-${id}`, `refs/tags/${id}`)
      await desk.run(['agent', 'wait', id])
      await desk.data('agent', 'land', id, '--apply')
      expect(git(desk.root, 'show', `refs/heads/${branch}:README.md`)).toContain('more')
      return desk
    },
  ],
]

sample(test).each(ODD)('every verb works where %s', async (_, make) => everyVerb(await make()))

describe('what has the name of a branch is not taken for it', () => {
  test('the branch that one is on is told by its own name, or HEAD is no branch', async () => {
    const desk = makeDesk()
    ref(desk, 'refs/tags/main')
    const { worktree } = await desk.data<{ worktree: { parent_branch: string } }>(
      'worktree',
      'create',
      '--name',
      'one',
    )
    expect(worktree.parent_branch).toBe('main')
    writeFileSync(join(desk.root, '.git/HEAD'), 'ref: refs/remotes/main\n')
    const ran = await desk.run(['worktree', 'create', '--name', 'two'])
    expect(ran.stderr).toContain('error_code: E_HEAD_DETACHED')
  })
})

/** Runs a shell script in the desk's environment, because Node cannot write such names. */
const inShell = (desk: Desk, script: string) =>
  execa('/bin/bash', ['-c', script, process.execPath, PROGRAM], {
    cwd: desk.scratch,
    env: desk.env,
    reject: false,
  })

describe('a path that is not UTF-8 is refused before anything is made', () => {
  const WORDS = 'worktree create --name feature'
  const NAME = `name=$(printf 'b\\303\\377d')`
  test.each([
    ['of the repository', `mv repo "$name"; cd "$name"; "$0" "$1" ${WORDS}`],
    ['of a repository that an option names', `mv repo "$name"; "$0" "$1" -C "$PWD/$name" ${WORDS}`],
    [
      'of a repository that a link leads to',
      `mv repo "$name"; ln -s "$name" link; "$0" "$1" -C link ${WORDS}`,
    ],
    ['of the data directory', `cd repo; AGENCY_DATA_DIR=../"$name"/data "$0" "$1" ${WORDS}`],
    [
      'of the home that the data directory is in',
      `cd repo; unset AGENCY_DATA_DIR; XDG_DATA_HOME=../"$name" "$0" "$1" ${WORDS}`,
    ],
  ])('%s', async (_, script) => {
    const desk = makeDesk()
    const before = readdirSync(desk.scratch)
    const { stderr } = await inShell(desk, `${NAME}; ${script}`)
    expect(stderr).toContain('error_code: E_PATH_NOT_TEXT')
    const made = readdirSync(desk.scratch).filter((name) => !before.includes(name))
    expect(made.filter((name) => !/^(b.*d|link)$/u.test(name))).toEqual([])
    expect((await inShell(desk, 'find . -name "*agency*" -not -path "*/hooks/*"')).stdout).toBe('')
  })

  test('one with the character that stands for such bytes is as good as any other', async () => {
    const scratch = makeScratch()
    const desk = sitDown(scratch, makeRepository(join(scratch, 'b\ufffdd')))
    expect((await desk.worktree('feature')).branch).toContain('agency/feature')
  })
})

test('a directory that does not exist is said to be none, and not that git is missing', async () => {
  const desk = makeDesk()
  const { stderr } = await desk.run(['-C', join(desk.scratch, 'none'), 'agent', 'ls'])
  expect(stderr).toContain('error_code: E_NOT_A_REPOSITORY')
})
