// `worktree create` that is killed: whatever it leaves, doctor finds and mends, and the name is free.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WorktreeRecord } from '../../../../src/core/model/worktree.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { removeWorktree } from '../../../../src/core/operations/integration/remove-worktree.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { listWorktrees, updateWorktree } from '../../../../src/core/store/worktrees.ts'
import { addHalf, HALF_ADDED } from '../../../support/git/half-added.ts'
import { git } from '../../../support/git/repository.ts'
import { killSteps } from '../../../support/kills/killed-verb.ts'
import { AS_SWEPT } from '../../../support/kills/sweep-steps.ts'
import { bundleProgram } from '../../../support/run/bundle.ts'
import { sample } from '../../../support/run/sampled.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

const program = await bundleProgram('test/support/kills/verb-process.ts')

const create = ({ repository, root }: World) => createWorktree(repository, { name: 'again', cwd: root })

const problems = async (repository: Repository) =>
  (await diagnose(repository)).findings.filter(({ level }) => level === 'problem')

/** Branches, git's and our directories of worktrees: without those in the trash. */
const leftOf = ({ root, repository }: World) => [
  git(root, 'branch', '--list', 'agency/*'),
  existsSync(join(root, '.git/worktrees')) ? readdirSync(join(root, '.git/worktrees')) : [],
  readdirSync(repository.paths.worktreesDir),
]

/** doctor mends what was left; then the same name can be created and removed. */
async function expectMended(world: World, when: string): Promise<void> {
  const { repository } = world
  await diagnose(repository, { fix: true })
  expect(await problems(repository), when).toEqual([])
  const finished = listWorktrees(repository.paths).some(
    ({ name, state }) => name === 'again' && state === 'present',
  )
  if (!finished) expect(leftOf(world), when).toEqual(['', [], []])
  const made = finished ? listWorktrees(repository.paths)[0] : await create(world)
  if (made === undefined) throw new Error('there is no worktree')
  expect(git(made.tree_path, 'status', '--porcelain')).toBe('')
  await removeWorktree(repository, made, { force: true, end: async (record) => record, progress: () => {} })
  git(world.root, 'branch', '-q', '-D', made.branch)
  rmSync(repository.paths.worktree(made.worktree_id).dir, { recursive: true })
}

test(`killed at any step, it leaves what doctor mends (${AS_SWEPT})`, async () => {
  const world = await makeWorld({ a: 'a\n', 'd/b': 'b\n' })
  const { effects, record } = world.repository
  const kill = killSteps(program, [effects.dataDir, record.root, 'create', 'again'])
  for (let more = true; more; ) {
    const { step, killed } = await kill()
    more = killed
    await expectMended(world, `after a kill at step ${step}`)
  }
})

describe('what no step shows', () => {
  sample(test).each([
    {
      what: 'a draft of the record',
      leave: (dir: string) => writeFileSync(join(dir, 'meta.json.12345'), '{'),
    },
    {
      what: 'a tree that git has only begun',
      leave: (dir: string) => rmSync(join(dir, 'tree/.agency'), { recursive: true }),
    },
    {
      what: 'nothing but the directory',
      leave: (dir: string) => rmSync(join(dir, 'tree'), { recursive: true }),
    },
  ])('is mended too: $what, and no record', async ({ leave }) => {
    const world = await makeWorld({ a: 'a\n' })
    const made = await makeUnfinished(world)
    const { dir, meta } = world.repository.paths.worktree(made.worktree_id)
    rmSync(meta)
    leave(dir)
    await expectMended(world, 'without a record')
  })

  sample(test).each([
    { what: 'some files', leave: (tree: string) => writeFileSync(join(tree, 'a'), 'half') },
    {
      what: 'the lock of a dead git',
      leave: (_: string, gitDir: string) => writeFileSync(join(gitDir, 'index.lock'), ''),
    },
  ])('is mended too: a record, $what, and no index', async ({ leave }) => {
    const world = await makeWorld({ a: 'a\n' })
    const made = await makeUnfinished(world)
    leave(made.tree_path, made.git_dir)
    await expectMended(world, 'without an index')
  })

  test('goes without the branch that somebody has worked on meanwhile, which stays', async () => {
    const world = await makeWorld({ a: 'a\n' })
    const made = await makeUnfinished(world)
    rmSync(world.repository.paths.worktree(made.worktree_id).meta)
    const work = git(world.root, 'commit-tree', '-p', made.branch, '-m', 'work', `${made.branch}^{tree}`)
    git(world.root, 'update-ref', `refs/heads/${made.branch}`, work)
    await diagnose(world.repository, { fix: true })
    expect(await problems(world.repository)).toEqual([])
    expect(git(world.root, 'rev-parse', made.branch)).toBe(work)
    expect(git(world.root, 'worktree', 'list').split('\n')).toHaveLength(1)
  })
  sample(test).each(HALF_ADDED)(
    'is mended too: a git that was killed after it had written %s',
    async (last) => {
      const world = await makeWorld({ a: 'a\n' })
      const { paths, git: ours } = world.repository
      const { dir, tree } = paths.worktree('20260128110000-abcd')
      mkdirSync(dir, { recursive: true })
      git(world.root, 'branch', 'agency/again-abcd')
      addHalf(ours.commonDir, tree, last)
      await expectMended(world, last)
    },
  )

  sample(test).each(HALF_ADDED)(
    'is mended too, but for its branch, where only that has its commit by now: a git that was killed after it had written %s',
    async (last) => {
      const world = await makeWorld({ a: 'a\n' })
      const { paths, git: ours } = world.repository
      const { dir, tree } = paths.worktree('20260128110000-abcd')
      mkdirSync(dir, { recursive: true })
      git(world.root, 'commit', '-q', '--allow-empty', '-m', 'mine')
      git(world.root, 'branch', 'agency/again-abcd')
      git(world.root, 'reset', '-q', '--hard', 'HEAD~1')
      addHalf(ours.commonDir, tree, last)
      await diagnose(world.repository, { fix: true })
      expect(await problems(world.repository)).toEqual([])
      expect(leftOf(world)).toEqual([expect.stringContaining('agency/again-abcd'), [], []])
      expect(git(world.root, 'log', '-1', '--format=%s', 'agency/again-abcd')).toBe('mine')
    },
  )

  test('is left alone: a worktree whose maker still lives, and one that somebody has worked in', async () => {
    const world = await makeWorld({ a: 'a\n' })
    const made = await makeUnfinished(world)
    const { self } = world.effects.processes
    await updateWorktree(world.repository.paths, made.worktree_id, { maker: self })
    expect(await problems(world.repository)).toEqual([])
    await updateWorktree(world.repository.paths, made.worktree_id, { maker: GONE })
    git(made.tree_path, 'reset', '-q', '--hard')
    expect(await problems(world.repository)).toEqual([])
  })
})

const GONE = { pid: 4_000_000, start_time: '1' }

/** As a kill leaves it between its record and its files. */
async function makeUnfinished(world: World): Promise<WorktreeRecord> {
  const made = await create(world)
  rmSync(join(made.git_dir, 'index'))
  rmSync(join(made.tree_path, 'a'))
  return updateWorktree(world.repository.paths, made.worktree_id, { maker: GONE })
}
