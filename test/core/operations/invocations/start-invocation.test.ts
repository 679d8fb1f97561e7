import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import type { WorktreeRecord } from '../../../../src/core/model/worktree.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { listInvocations } from '../../../../src/core/operations/invocations/known-invocations.ts'
import { startInvocation } from '../../../../src/core/operations/invocations/start-invocation.ts'
import { git } from '../../../support/git/repository.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

/** Enough files to be written by two gits. */
const MANY = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`src/${n}.txt`, 'one\n']))

async function makeStarted(files: Record<string, string> = { 'a.txt': 'one\n' }): Promise<{
  world: World
  worktree: WorktreeRecord
  start: () => Promise<InvocationRecord>
}> {
  const world = await makeWorld(files)
  const worktree = await createWorktree(world.repository, { name: 'my-feature', cwd: world.root })
  const start = () =>
    startInvocation(world.repository, {
      worktree: 'my-feature',
      runner: 'shell',
      mode: 'headless',
      prompt: 'echo hello',
      prompt_source: 'text',
      environment: LOCAL_ENVIRONMENT,
      columns: 80,
      rows: 24,
    })
  return { world, worktree, start }
}

/** Everything that a start could leave behind. */
function traces({ root, repository }: World) {
  return {
    worktrees: git(root, 'worktree', 'list').split('\n').length,
    branches: git(root, 'branch', '--list', 'agency/sandbox-*'),
    admin: readdirSync(join(root, '.git/worktrees')).length,
    invocations: existsSync(repository.paths.invocationsDir)
      ? readdirSync(repository.paths.invocationsDir)
      : [],
    sandboxes: existsSync(repository.paths.sandboxesDir) ? readdirSync(repository.paths.sandboxesDir) : [],
    locks: readdirSync(repository.paths.dir).filter((name) => name.startsWith('.lock')),
  }
}

describe('starting an invocation', () => {
  it('gives it a sandbox of its own off the integration branch, marked and recorded', async () => {
    const { world, worktree, start } = await makeStarted()
    const record = await start()

    expect(record).toMatchObject({
      integration_worktree_id: worktree.worktree_id,
      sandbox_branch: `agency/sandbox-${record.invocation_id}`,
      base_commit: git(world.root, 'rev-parse', worktree.branch),
      status: 'starting',
      prompt: 'echo hello',
    })
    expect(git(showPath(record.sandbox_path), 'status', '--porcelain')).toBe('')
    expect(readFileSync(join(showPath(record.sandbox_path), 'a.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(join(showPath(record.sandbox_path), '.agency/SANDBOX_MARKER'))).toBe(true)
    expect(existsSync(join(worktree.tree_path, '.agency/SANDBOX_MARKER'))).toBe(false)
    expect(world.launches).toMatchObject([{ invocation_id: record.invocation_id, mode: 'headless' }])
    expect(readFileSync(record.prompt_path ?? '', 'utf8')).toBe('echo hello')
  })

  it('leaves the sandbox with nothing but git, the marker and the files of the project', async () => {
    const { start } = await makeStarted()
    const record = await start()
    expect(readdirSync(showPath(record.sandbox_path)).sort()).toEqual(['.agency', '.git', 'a.txt'])
    expect(readdirSync(join(showPath(record.sandbox_path), '.agency')).sort()).toEqual([
      '.gitignore',
      'SANDBOX_MARKER',
    ])
    expect(readdirSync(dirname(showPath(record.sandbox_path))).sort()).toEqual(['filled', 'tree'])
  })

  it('gives each of several started at once its own, and does not change the integration tree', async () => {
    const { world, worktree, start } = await makeStarted()
    const index = readFileSync(join(worktree.git_dir, 'index'))
    const records = await Promise.all([start(), start(), start(), start()])
    expect(new Set(records.map((record) => record.sandbox_path)).size).toBe(4)
    expect(readFileSync(join(worktree.git_dir, 'index')).equals(index)).toBe(true)
    expect(git(worktree.tree_path, 'status', '--porcelain')).toBe('')
    expect(listInvocations(world.repository.paths).invocations).toHaveLength(4)
  })

  it('refuses a target that does not carry the integration marker', async () => {
    const { world, worktree, start } = await makeStarted()
    rmSync(join(worktree.tree_path, '.agency'), { recursive: true })
    const before = traces(world)
    await expect(start()).rejects.toMatchObject({ code: 'E_NOT_INTEGRATION_TREE' })
    expect(traces(world)).toEqual(before)
  })

  it('refuses a sandbox path that resolves into an integration tree, and records nothing', async () => {
    const { world, worktree, start } = await makeStarted()
    symlinkSync(worktree.tree_path, world.repository.paths.sandboxesDir)
    await expect(start()).rejects.toMatchObject({ code: 'E_SANDBOX_UNSAFE_PATH' })
    expect(readdirSync(world.repository.paths.invocationsDir)).toEqual([])
    expect(git(world.root, 'branch', '--list', 'agency/sandbox-*')).toBe('')
    expect(world.launches).toEqual([])
  })

  it('refuses a sandbox path that resolves into the repository itself', async () => {
    const { world, start } = await makeStarted()
    symlinkSync(join(world.root, '.git'), world.repository.paths.sandboxesDir)
    await expect(start()).rejects.toMatchObject({ code: 'E_SANDBOX_UNSAFE_PATH' })
  })

  it('leaves nothing when any step fails, and reports the first error', async () => {
    const { world, start } = await makeStarted()
    const before = traces(world)
    const already = world.steps.length
    await start().then((record) => record)
    const count = world.steps.length - already
    expect(count).toBeGreaterThan(6)
    const once = traces(world)
    for (let step = 0; step < count; step++) {
      world.failAt(step)
      await expect(start()).rejects.toThrow('the test stopped at')
      world.failAt(null)
      expect({ step, ...traces(world) }).toEqual({ step, ...once })
    }
    expect(before.worktrees).toBe(once.worktrees - 1)
  })

  it('fills a large sandbox beside its records, and leaves nothing of it when one of those cannot be written', async () => {
    const { world, start } = await makeStarted(MANY)
    const record = await start()
    expect(git(showPath(record.sandbox_path), 'status', '--porcelain')).toBe('')
    expect(readdirSync(join(showPath(record.sandbox_path), 'src'))).toHaveLength(1500)

    const steps = world.steps.slice(world.steps.lastIndexOf('claim the id'))
    const before = traces(world)
    for (const name of ['write the invocation record', 'write the prompt', 'launch the runner']) {
      world.failAt(steps.indexOf(name))
      await expect(start()).rejects.toThrow(name)
      world.failAt(null)
      expect({ name, ...traces(world) }).toEqual({ name, ...before })
    }
  })

  it('mints another id when one is taken', async () => {
    const { world, start } = await makeStarted()
    const now = new Date('2026-01-28T12:05:00Z')
    const randoms = [Uint8Array.of(1, 1), Uint8Array.of(1, 1), Uint8Array.of(2, 2)]
    Object.assign(world.effects, {
      clock: { ...world.effects.clock, now: () => now },
      random: () => randoms.shift() ?? Uint8Array.of(9, 9),
    })
    const ids = [(await start()).invocation_id, (await start()).invocation_id]
    expect(ids).toEqual(['20260128120500-0101', '20260128120500-0202'])
  })
})
