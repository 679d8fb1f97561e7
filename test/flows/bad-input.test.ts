import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { git, makeRepository, makeScratch, writeFiles } from '../support/git/repository.ts'
import { type Desk, makeDesk, type Ran, shellAgent, sitDown } from '../support/processes/cli.ts'
import { sample } from '../support/run/sampled.ts'

const startArgs = (script: string): string[] => shellAgent('feature', script)

const codeOf = (ran: Ran): string => /^error_code: (E_\w+)/.exec(ran.stderr)?.[1] ?? `none in: ${ran.stderr}`

/** What git knows of us. A refused command must leave nothing in it. */
const gitTraces = (root: string): string[] => [
  git(root, 'for-each-ref', '--format=%(refname)'),
  git(root, 'worktree', 'list'),
]

/** Mounts a small file system. Returns null if this machine does not let us. */
function mountTmpfs(options: string): string | null {
  const path = join(makeScratch(), 'mount')
  mkdirSync(path)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', ['-l', path]))
  return path
}

describe('bad input ends in a clear error, and nothing is half made', () => {
  sample(it).each(['a', 'a'.repeat(41), 'a/b', '..', 'grün', 'Feature', '-x-', 'a b'])(
    'worktree name %j',
    async (name) => {
      const desk = makeDesk()
      const before = gitTraces(desk.root)
      const ran = await desk.run(['worktree', 'create', `--name=${name}`])
      expect([codeOf(ran), ran.exitCode]).toEqual(['E_NAME_INVALID', 2])
      expect(gitTraces(desk.root)).toEqual(before)
    },
  )

  it('outside a repository', async () => {
    const desk = makeDesk()
    const ran = await desk.run(['agent', 'ls'], { cwd: makeScratch() })
    expect([codeOf(ran), ran.exitCode]).toEqual(['E_NOT_A_REPOSITORY', 3])
  })

  it('in a repository without a commit, and with a detached HEAD', async () => {
    const scratch = makeScratch()
    const root = join(scratch, 'empty')
    mkdirSync(root)
    git(root, 'init', '-q', '-b', 'main')
    const desk = sitDown(scratch, root)
    expect(codeOf(await desk.run(['worktree', 'create', '--name', 'one']))).toBe('E_REPOSITORY_EMPTY')
    git(
      root,
      '-c',
      'user.name=P',
      '-c',
      'user.email=p@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'Start',
    )
    git(root, 'checkout', '-q', '--detach')
    expect(codeOf(await desk.run(['worktree', 'create', '--name', 'one']))).toBe('E_HEAD_DETACHED')
    expect((await desk.run(['worktree', 'create', '--name', 'one', '--parent', 'main'])).exitCode).toBe(0)
  })

  it('an unknown command, flag, runner, worktree or invocation', async () => {
    const desk = makeDesk()
    await desk.worktree('feature')
    expect((await desk.run(['wroktree', 'ls'])).exitCode).toBe(2)
    expect((await desk.run(['worktree', 'ls', '--frobnicate'])).exitCode).toBe(2)
    const start = (...more: string[]) => desk.run(['agent', 'start', '--headless', '--prompt', 'x', ...more])
    expect(codeOf(await start('--worktree', 'feature', '--runner', 'nobody'))).toBe('E_RUNNER_UNKNOWN')
    expect(codeOf(await start('--worktree', 'nowhere', '--runner', 'shell'))).toBe('E_WORKTREE_NOT_FOUND')
    expect(codeOf(await desk.run(['agent', 'show', 'zzzz']))).toBe('E_INVOCATION_NOT_FOUND')
    const { invocation_id } = await desk.start('feature', 'sleep 1000')
    const landing = await desk.run(['agent', 'land', invocation_id])
    expect(landing.stderr).toContain(`hint: agency agent stop ${invocation_id}`)
    const removal = await desk.run(['worktree', 'rm', 'feature'])
    expect(removal.stderr).toContain('agency worktree rm feature --force')
  })

  it('a runner that is not installed is told before any sandbox is made, with what to type', async () => {
    const desk = makeDesk()
    await desk.worktree('feature')
    const before = gitTraces(desk.root)
    const args = [
      'agent',
      'start',
      '--worktree',
      'feature',
      '--runner',
      'codex',
      '--headless',
      '--prompt',
      'x',
    ]
    const node = join(process.execPath, '..')
    const ran = await desk.run(args, { env: { PATH: `${node}-none:/usr/bin:/bin` } })
    expect(codeOf(ran)).toBe('E_RUNNER_MISSING')
    expect(ran.stderr).toContain('npm install -g @openai/codex')
    expect(gitTraces(desk.root)).toEqual(before)
  })

  it('unreadable, torn and future records are told by name and stop nothing else', async () => {
    const desk = makeDesk()
    await desk.worktree('feature')
    const records = [
      await desk.start('feature', 'true'),
      await desk.start('feature', 'true'),
      await desk.start('feature', 'true'),
    ]
    for (const { invocation_id } of records) await desk.run(['agent', 'wait', invocation_id])
    const repos = join(desk.dataDir, 'repos')
    const [repo = ''] = readdirSync(repos)
    const meta = (record: InvocationRecord | undefined): string =>
      join(repos, repo, 'invocations', record?.invocation_id ?? '', 'meta.json')
    writeFileSync(meta(records[0]), '{"torn')
    writeFileSync(meta(records[1]), '{"schema_version":"7.0"}')
    const { invocations, broken } = await desk.list()
    expect([invocations.length, broken.length]).toEqual([1, 2])
    expect(codeOf(await desk.run(['agent', 'land', records[0]?.invocation_id ?? '']))).toBe(
      'E_INVOCATION_BROKEN',
    )
    expect((await desk.run(startArgs('true'))).exitCode).toBe(0)
  })

  it('a configuration with a typo names the key', async () => {
    const desk = makeDesk()
    const config = join(desk.scratch, 'config', 'agency')
    writeFiles(config, { 'config.toml': 'keep_discardet = 3\n' })
    const ran = await desk.run(['agent', 'ls'], { env: { XDG_CONFIG_HOME: join(desk.scratch, 'config') } })
    expect([codeOf(ran), ran.exitCode]).toEqual(['E_CONFIG_INVALID', 2])
    expect(ran.stderr).toContain('keep_discardet')
  })

  it('a data directory behind a symbolic link works from end to end, undo too', async () => {
    const scratch = makeScratch()
    mkdirSync(join(scratch, 'real data'))
    symlinkSync(join(scratch, 'real data'), join(scratch, 'link'))
    const desk = sitDown(scratch, makeRepository(join(scratch, 'repo')), {
      AGENCY_DATA_DIR: join(scratch, 'link'),
    })
    await desk.worktree('feature')
    const { invocation_id } = await desk.start('feature', 'echo x > new.txt')
    await desk.run(['agent', 'wait', invocation_id])
    await desk.data('agent', 'land', invocation_id, '--apply')
    await desk.data('undo')
    await desk.data('agent', 'discard', invocation_id)
    expect((await desk.list()).invocations).toMatchObject([{ landing_status: 'discarded' }])
  })

  it('paths with spaces, quotes and newlines work from end to end', async () => {
    const scratch = makeScratch()
    const root = makeRepository(join(scratch, 'a "repo"\n with\' odd name'))
    const desk = sitDown(scratch, root, { AGENCY_DATA_DIR: join(scratch, 'data\n dir') })
    const worktree = await desk.worktree('feature')
    const { invocation_id } = await desk.start('feature', "printf x > 'new\nfile'")
    await desk.run(['agent', 'wait', invocation_id])
    await desk.data('agent', 'land', invocation_id, '--apply')
    expect(git(worktree.tree_path, 'ls-files', '-z')).toContain('new\nfile')
  })
})

describe('a disk that cannot be written', () => {
  const fill = (path: string): void => void spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=64k'])

  it('is full in the middle of a start: nothing is left', async ({ skip }) => {
    const mount = mountTmpfs('size=6m')
    if (mount === null) return skip('this machine does not let the test mount a tmpfs')
    const { desk } = deskOn(mount, { 'big.bin': 'x'.repeat(1_500_000) })
    await desk.worktree('feature')
    const before = gitTraces(desk.root)
    writeFileSync(join(mount, 'filler'), 'x')
    fill(join(mount, 'filler'))
    const ran = await desk.run(startArgs('true'))
    expect([codeOf(ran), ran.exitCode]).toEqual(['E_DISK_FULL', 6])
    expect(gitTraces(desk.root)).toEqual(before)
    spawnSync('rm', [join(mount, 'filler')])
    expect((await desk.run(startArgs('true'))).exitCode).toBe(0)
  })

  it('is full in the middle of a landing: the branch is as it was, and the landing can be done later', async ({
    skip,
  }) => {
    const mount = mountTmpfs('size=12m')
    if (mount === null) return skip('this machine does not let the test mount a tmpfs')
    const { desk } = deskOn(mount, { 'a.txt': 'one\n' })
    const worktree = await desk.worktree('feature')
    const prompt = 'head -c 1500000 /dev/urandom > big.bin; git add -A; git commit -qm Big'
    const { invocation_id } = await desk.start('feature', prompt)
    await desk.run(['agent', 'wait', invocation_id])
    const before = [
      git(worktree.tree_path, 'rev-parse', 'HEAD'),
      git(worktree.tree_path, 'status', '--porcelain'),
    ]
    fill(join(mount, 'filler'))
    const ran = await desk.run(['agent', 'land', invocation_id])
    expect([codeOf(ran), ran.exitCode]).toEqual(['E_DISK_FULL', 6])
    spawnSync('rm', [join(mount, 'filler')])
    expect([
      git(worktree.tree_path, 'rev-parse', 'HEAD'),
      git(worktree.tree_path, 'status', '--porcelain'),
    ]).toEqual(before)
    expect((await desk.run(['agent', 'land', invocation_id])).exitCode).toBe(0)
    expect(git(worktree.tree_path, 'status', '--porcelain')).toBe('')
  })

  it('is read-only: every verb that writes says so, and reading goes on', async ({ skip }) => {
    const mount = mountTmpfs('size=12m')
    if (mount === null) return skip('this machine does not let the test mount a tmpfs')
    const { desk } = deskOn(mount, { 'a.txt': 'one\n' }, makeScratch())
    await desk.worktree('feature')
    const { invocation_id } = await desk.start('feature', 'echo x > new.txt')
    await desk.run(['agent', 'wait', invocation_id])
    const before = gitTraces(desk.root)
    spawnSync('mount', ['-o', 'remount,ro', mount])
    expect((await desk.run(['agent', 'ls'])).exitCode).toBe(0)
    const start = await desk.run(startArgs('true'))
    const land = await desk.run(['agent', 'land', invocation_id, '--apply'])
    const create = await desk.run(['worktree', 'create', '--name', 'other'])
    expect([codeOf(start), codeOf(land), codeOf(create)]).toEqual(Array(3).fill('E_DATA_UNWRITABLE'))
    expect(gitTraces(desk.root)).toEqual(before)
  })
})

/** Puts the data directory on the mount, and the repository into `scratch`, which by default is the mount too. */
function deskOn(mount: string, files: Record<string, string>, scratch = mount): { desk: Desk } {
  const root = makeRepository(join(scratch, 'repo'), files)
  return { desk: sitDown(makeScratch(), root, { AGENCY_DATA_DIR: join(mount, 'data') }) }
}
