// An agent can write into git's directory of its own work tree. What it breaks there is its own affair: every other sandbox
// goes on, new ones start, and doctor names the file and mends it where it is known what belongs there.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ODD_DIR } from '../../src/core/doors/git/git-reads.ts'
import { AgencyError } from '../../src/core/model/errors.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { diagnose } from '../../src/core/operations/diagnosis/diagnose.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { createWorktree } from '../../src/core/operations/integration/create-worktree.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { openRepository } from '../../src/core/store/repository.ts'
import { git } from '../support/git/repository.ts'
import { sampledOf } from '../support/run/sampled.ts'
import { refusal } from '../support/scene/refusal.ts'
import { makeSandbox, makeScene, type Scene, shell } from '../support/scene/sandbox.ts'

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  'an empty file': (path) => writeFileSync(path, ''),
  nothing: () => {},
  rubbish: (path) => writeFileSync(path, 'rubbish\n'),
  'no text': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x0a])),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link that leads nowhere': (path) => symlinkSync('/nowhere at all', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a directory': (path) => mkdirSync(path),
  'a terabyte of nothing': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 2 ** 40)
  },
}

const NAMES = ['commondir', 'gitdir', 'HEAD', 'index', 'locked', 'config.worktree'] as const

interface Broken extends Scene {
  readonly path: string
}

const CASES = NAMES.flatMap((name) => Object.keys(KINDS).map((kind) => ({ name, kind })))

async function breakNote(name: string, kind: string): Promise<Broken> {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo work > work')
  const path = join(showPath(scene.record.git_dir), name)
  rmSync(path, { force: true })
  KINDS[kind]?.(path)
  return { ...scene, path }
}

const problemsOf = async ({ repository }: Scene) =>
  (await diagnose(repository)).findings.filter(({ level }) => level === 'problem')

/** What the person's own git does. */
const PERSONS: readonly (readonly string[])[] = [
  ['worktree', 'list'],
  ['branch', 'other'],
  ['branch', '-d', 'other'],
]

describe('what an agent has put in the place of a note of git about its own tree', () => {
  test.each(sampledOf(CASES))(
    'keeps nobody from starting, landing and undoing: $name is $kind',
    async ({ name, kind }) => {
      const scene = await breakNote(name, kind)
      const { repository, worktree, root } = scene
      const made = await createWorktree(repository, { name: 'another', cwd: root })
      const other = await makeSandbox(repository, worktree)
      shell(showPath(other.sandbox_path), 'echo other > other; git add other; git commit -qm other')
      await landInvocation(repository, other, {})
      await undoLast(repository)
      for (const args of PERSONS) git(made.tree_path, ...args)
    },
  )

  test.each(sampledOf(CASES.filter(({ name }) => /^(commondir|gitdir)$/.test(name))))(
    'is named by doctor with its sandbox, and mended: $name is $kind',
    async ({ name, kind }) => {
      const scene = await breakNote(name, kind)
      const { repository, record, root, tree, path } = scene
      const before = lstatSync(path, { throwIfNoEntry: false })
      const said = (await problemsOf(scene)).filter(({ message }) => message.includes(path))
      expect(said).toEqual([
        expect.objectContaining({ fixable: true, message: expect.stringContaining(record.invocation_id) }),
      ])
      await diagnose(repository, { fix: true })
      expect(await problemsOf(scene)).toEqual([])
      expect(readFileSync(path, 'utf8')).toBe(name === 'gitdir' ? `${tree}/.git\n` : '../..\n')
      const kept = existsSync(join(root, '.git', ODD_DIR)) ? readdirSync(join(root, '.git', ODD_DIR)) : []
      expect(kept.map((one) => lstatSync(join(root, '.git', ODD_DIR, one)).ino)).toEqual(
        before === undefined ? [] : [before.ino],
      )
      expect(git(tree, 'status', '--short')).toBe('?? work')
      git(root, 'gc', '-q')
      git(root, 'fsck', '--no-dangling')
    },
  )

  test.each(sampledOf(CASES))(
    'leaves nothing of a sandbox that is discarded, and undo brings it back: $name is $kind',
    async ({ name, kind }) => {
      const scene = await breakNote(name, kind)
      const { repository, record, root, tree } = scene
      // git is told again and again what stands in its way, and where to put it.
      for (let round = 0; round < 3 && existsSync(tree); round++) {
        await discardInvocation(repository, record, async (same) => same).catch((error: unknown) => {
          if (!(error instanceof AgencyError) || error.code !== 'E_FILE_UNREADABLE') throw error
          shell(root, error.hint.replace(/^.*?: /, ''))
        })
      }
      expect(existsSync(showPath(record.git_dir))).toBe(false)
      expect(git(root, 'branch', '--list', record.sandbox_branch)).toBe('')
      expect(await problemsOf(scene)).toEqual([])
      await undoLast(repository)
      expect(readFileSync(join(tree, 'work'), 'utf8')).toBe('work\n')
      expect(git(tree, 'status', '--short', 'work')).toBe('?? work')
    },
  )

  test.each(['a link that leads nowhere', 'a directory'])(
    'is moved aside where nothing belongs: locked is %s',
    async (kind) => {
      const scene = await breakNote('locked', kind)
      expect(await problemsOf(scene)).toHaveLength(1)
      await diagnose(scene.repository, { fix: true })
      expect(await problemsOf(scene)).toEqual([])
      git(scene.root, 'worktree', 'list')
    },
  )

  test.each([
    ['HEAD', 'an empty file'],
    ['HEAD', 'nothing'],
    ['HEAD', 'rubbish'],
    ['index', 'an empty file'],
    ['index', 'rubbish'],
  ])('is told with what to type where only the agent knew it: %s is %s', async (name, kind) => {
    const scene = await breakNote(name, kind)
    const [said, ...more] = (await problemsOf(scene)).filter(({ message }) => message.includes(scene.path))
    expect(more).toEqual([])
    expect(said?.message).toContain(scene.record.invocation_id)
    shell(scene.root, String(said?.remedy).replace(/^.*?: /, ''))
    expect(await problemsOf(scene)).toEqual([])
    git(scene.root, 'fsck', '--no-dangling')
    git(scene.root, 'gc', '-q')
  })

  test('a HEAD that names a commit which is not there is told, too', async () => {
    const scene = await breakNote('HEAD', 'nothing')
    for (const commit of ['0'.repeat(40), 'a'.repeat(40)]) {
      writeFileSync(scene.path, `${commit}\n`)
      expect((await problemsOf(scene)).map(({ message }) => message)).toEqual([
        expect.stringContaining(scene.path),
      ])
    }
  })

  test.each(['an empty file', 'nothing', 'rubbish'])(
    'does not hide the repository from who works there: commondir is %s',
    async (kind) => {
      const { repository, tree, path } = await breakNote('commondir', kind)
      const found = await openRepository(repository.effects, tree)
      await diagnose(found, { fix: true })
      expect(readFileSync(path, 'utf8')).toBe('../..\n')
    },
  )
})

/** As an agent leaves it that writes while git makes a worktree, or a git that was killed there. */
test('a note that a git may be writing is left to it; who starts meanwhile is told what to type', async () => {
  const { repository, worktree, path } = await breakNote('commondir', 'an empty file')
  writeFileSync(join(path, '../locked'), 'initializing')
  const refused = await refusal(makeSandbox(repository, worktree))
  expect(refused).toMatchObject({ code: 'E_FILE_UNREADABLE', hint: 'agency doctor --fix' })
  expect(refused.message).toContain(path)
  await diagnose(repository, { fix: true })
  await makeSandbox(repository, worktree)
})

test('a note of a tree of the person’s is written anew only where it keeps git from listing all', async () => {
  const { repository, root } = await makeScene({ a: 'a\n' })
  const mine = join(root, '../mine')
  git(root, 'worktree', 'add', '-q', '--detach', mine)
  const dir = join(root, '.git/worktrees/mine')
  writeFileSync(join(dir, 'commondir'), '')
  writeFileSync(join(dir, 'gitdir'), 'rubbish\n')
  await diagnose(repository, { fix: true })
  expect(readFileSync(join(dir, 'commondir'), 'utf8')).toBe('../..\n')
  expect(readFileSync(join(dir, 'gitdir'), 'utf8')).toBe('rubbish\n')
})

test('a record that names the directory of another tree does not have that directory’s notes rewritten', async () => {
  const { repository, record, worktree, tree } = await makeScene({ a: 'a\n' })
  const other = await makeSandbox(repository, worktree)
  const dir = showPath(other.git_dir)
  const meta = repository.paths.invocation(record.invocation_id).meta
  writeFileSync(meta, readFileSync(meta, 'utf8').replaceAll(showPath(record.git_dir), dir))
  writeFileSync(join(tree, '.git'), `gitdir: ${dir}\n`)
  const before = readFileSync(join(dir, 'gitdir'), 'utf8')
  await diagnose(repository, { fix: true })
  expect(readFileSync(join(dir, 'gitdir'), 'utf8')).toBe(before)
})
