import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { resolveStart } from '../../../../src/core/operations/invocations/resolve-start.ts'
import { startInvocation } from '../../../../src/core/operations/invocations/start-invocation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { diffInvocation } from '../../../../src/core/operations/sandboxes/diff-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { takeNow } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { shell } from '../../../support/scene/sandbox.ts'
import { makeWorld, type World } from '../../../support/scene/world.ts'

interface Work {
  readonly world: World
  readonly first: InvocationRecord
  fork(from: string): Promise<InvocationRecord>
}

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record

/** An agent that has ended, with a commit, something staged, an edit and an untracked file. */
async function makeWork(): Promise<Work> {
  const world = await makeWorld({ 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': '*.log\n' })
  const { repository } = world
  await createWorktree(repository, { name: 'my-feature', cwd: world.root })
  const start = (request: object): Promise<InvocationRecord> =>
    startInvocation(
      repository,
      resolveStart(
        repository,
        { mode: 'headless', prompt: 'true', prompt_source: 'text', no_start: true, ...request },
        { default_runner: 'shell' },
      ),
    )
  const first = await start({ worktree: 'my-feature' })
  shell(
    showPath(first.sandbox_path),
    'echo two > a.txt; git commit -qam two; rm b.txt; echo s > s; git add s; echo n > n',
  )
  return {
    world,
    first,
    fork: (from) => {
      const [invocation = '', number] = from.split('@')
      return start({
        from: { invocation, ...(number === undefined ? {} : { checkpoint: Number(number) }) },
      })
    },
  }
}

const pictureOf = ({ sandbox_path }: InvocationRecord) => ({
  files: treeManifest(showPath(sandbox_path)),
  index: git(showPath(sandbox_path), 'write-tree'),
  head: git(showPath(sandbox_path), 'rev-parse', 'HEAD'),
  status: git(showPath(sandbox_path), 'status', '--short'),
})

test('a fork of a checkpoint has its files, its index and its commits, on a branch of its own', async () => {
  const { world, first, fork } = await makeWork()
  const moment = pictureOf(first)
  const { id } = await takeNow(world.repository, first)
  shell(showPath(first.sandbox_path), 'git add -A; git commit -qm all; echo later > later')
  const forked = await fork(`${first.invocation_id}@${id}`)
  expect(pictureOf(forked)).toEqual(moment)
  expect(forked.parent_invocation_id).toBe(first.invocation_id)
  expect(forked.base_commit).toBe(first.base_commit)
  expect(forked.integration_worktree_id).toBe(first.integration_worktree_id)
  expect(git(showPath(forked.sandbox_path), 'symbolic-ref', '--short', 'HEAD')).toBe(forked.sandbox_branch)
  expect(existsSync(join(showPath(first.sandbox_path), 'later'))).toBe(true)
})

test('its diff shows the whole work, and landing it lands the whole work', async () => {
  const { world, first, fork } = await makeWork()
  const forked = await fork(first.invocation_id)
  const diff = await diffInvocation(world.repository, forked, { patch: false })
  expect(diff.commits.map(({ subject }) => subject)).toEqual(['two'])
  expect(diff.files.map(({ path }) => path).sort()).toEqual(['a.txt', 'b.txt', 'n', 's'])
  const landing = await landInvocation(world.repository, forked, { apply: true })
  expect(treeManifest(landing.worktree.tree_path)).toMatchObject({ 'a.txt': 'file two\n', n: 'file n\n' })
})

test.each(['discarded', 'landed'] as const)(
  'a fork of one that was %s begins where that ended',
  async (how) => {
    const { world, first, fork } = await makeWork()
    const { repository } = world
    const early = await takeNow(repository, first)
    const moment = pictureOf(first)
    shell(showPath(first.sandbox_path), 'echo more > more')
    const end = pictureOf(first)
    if (how === 'discarded') await discardInvocation(repository, first, noneRuns)
    else await landInvocation(repository, first, { apply: true })
    expect(git(world.root, 'for-each-ref', 'refs/agency/snapshots')).toBe('')
    git(world.root, 'gc', '-q', '--prune=now')
    expect(pictureOf(await fork(first.invocation_id))).toEqual(end)
    expect(pictureOf(await fork(`${first.invocation_id}@${early.id}`))).toEqual(moment)
  },
)

test('a fork of one that still works takes what is there', async () => {
  const { world, first, fork } = await makeWork()
  await updateInvocation(world.repository.paths, first.invocation_id, { status: 'running', host: null })
  const forked = await fork(first.invocation_id).catch((error: Error) => error)
  if (forked instanceof Error) throw forked
  expect(pictureOf(forked)).toEqual(pictureOf(first))
})

test('secrets do not come along', async () => {
  const { first, fork } = await makeWork()
  shell(showPath(first.sandbox_path), 'echo K > .env')
  const forked = await fork(first.invocation_id)
  expect(existsSync(join(showPath(forked.sandbox_path), '.env'))).toBe(false)
  expect(readFileSync(join(showPath(first.sandbox_path), '.env'), 'utf8')).toBe('K\n')
})

test('a fork that fails at any step leaves nothing behind', async () => {
  const { world, first, fork } = await makeWork()
  const { id } = await takeNow(world.repository, first)
  const refs = git(world.root, 'for-each-ref')
  for (let step = 0; step < 30; step++) {
    world.failAt(step)
    const failed = await fork(`${first.invocation_id}@${id}`).then(
      () => false,
      () => true,
    )
    world.failAt(null)
    if (!failed) return
    expect(git(world.root, 'for-each-ref'), `step ${step}`).toBe(refs)
  }
  throw new Error('it has more steps than that')
})

test('what is not there is refused', async () => {
  const { first, fork } = await makeWork()
  expect(await refusal(fork(`${first.invocation_id}@9`))).toMatchObject({ code: 'E_CHECKPOINT_NOT_FOUND' })
})
