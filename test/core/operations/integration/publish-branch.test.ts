import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseObjectId } from '../../../../src/core/model/ids.ts'
import { publishBranch } from '../../../../src/core/operations/integration/publish-branch.ts'
import { recoverJournal } from '../../../../src/core/operations/integration/recover-journal.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { readOperations } from '../../../../src/core/store/operations-log.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { readWorktree } from '../../../../src/core/store/worktrees.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { AS_SWEPT, sweptOf } from '../../../support/kills/sweep-steps.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

/** The same repository, but a test is told of its steps. */
const watched = (repository: Repository, onStep: (step: string) => void): Repository => ({
  ...repository,
  effects: { ...repository.effects, onStep },
})

/** Work for a branch that has moved on, with edits of the person's in that branch's tree. */
async function makeLanding(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', b: 'b\n', c: 'c\n' })
  shell(scene.tree, 'echo more >> a; rm b; mkdir d; echo new > d/new; git add -A; git commit -qm Work')
  writeFiles(scene.worktree.tree_path, { mine: 'mine\n' })
  commitAll(scene.worktree.tree_path, 'Mine')
  shell(scene.worktree.tree_path, 'echo edit >> c; echo staged > s; git add s; echo loose > loose')
  return scene
}

const EDITS = ' M c\nA  s\n?? loose'

function expectSettled(scene: Scene, landed: boolean): void {
  const { tree_path, git_dir, worktree_id } = scene.worktree
  const { paths } = scene.repository
  expect(git(tree_path, 'log', '-1', '--format=%s')).toBe(landed ? 'Work' : 'Mine')
  expect(shell(tree_path, 'git status --porcelain').trimEnd()).toBe(EDITS)
  expect(existsSync(join(tree_path, 'd'))).toBe(landed)
  expect(readdirSync(git_dir).filter((name) => /lock|agency/.test(name))).toEqual([])
  expect(readdirSync(paths.dir).filter((name) => /trees-|expected/.test(name))).toEqual([])
  expect(isInterrupted(paths)).toBe(false)
  expect(readInvocation(paths, scene.record.invocation_id).landing_status).toBe(landed ? 'landed' : 'pending')
  expect(readOperations(paths)).toHaveLength(landed ? 1 : 0)
  expect(existsSync(scene.tree)).toBe(!landed)
  expect(git(scene.root, 'for-each-ref', 'refs/agency').split('\n').filter(Boolean)).toHaveLength(
    landed ? 1 : 0,
  )
  if (landed) expect(readWorktree(paths, worktree_id).known_head).toBe(git(tree_path, 'rev-parse', 'HEAD'))
}

async function stepsOf(scene: Scene): Promise<string[]> {
  const steps: string[] = []
  const repository = watched(scene.repository, (step) => steps.push(step))
  await landInvocation(repository, scene.record, {})
  expectSettled(scene, true)
  return steps
}

describe('a landing that fails at any step', () => {
  test(`is undone before the branch moves, and finished after (${AS_SWEPT})`, async () => {
    const steps = await stepsOf(await makeLanding())
    expect(steps.length).toBeGreaterThan(12)
    const moves = steps.indexOf('put the index in place')
    for (const [at, step] of sweptOf([...steps.entries()])) {
      const scene = await makeLanding()
      let seen = 0
      const failing = watched(scene.repository, () => {
        if (seen++ === at) throw new Error(`no ${step}`)
      })
      const outcome = await landInvocation(failing, scene.record, {}).then(
        () => 'landed',
        (error: unknown) => String(error),
      )
      expect(outcome).toBe(at < moves ? `Error: no ${step}` : 'landed')
      expectSettled(scene, at >= moves)
      if (at < moves) await landInvocation(scene.repository, scene.record, {})
      expectSettled(scene, true)
    }
  })

  test('is finished by the next verb where recovery failed too', async () => {
    const steps = await stepsOf(await makeLanding())
    for (const name of [
      'move the work tree',
      'move the branch',
      'put the index in place',
      'append the operation',
    ]) {
      const scene = await makeLanding()
      const at = steps.indexOf(name)
      let seen = 0
      const dead = watched(scene.repository, () => {
        if (seen++ >= at) throw new Error('the process is gone')
      })
      await landInvocation(dead, scene.record, {}).catch(() => 'failed')
      await scene.repository.locked(() => recoverJournal(scene.repository))
      expectSettled(scene, name !== 'move the work tree' && name !== 'move the branch')
    }
  })
})

describe('publishing', () => {
  test('refuses where the branch is not where the caller thinks', async () => {
    const { repository, worktree, record } = await makeLanding()
    const request = { from: record.base_commit, to: record.base_commit, reason: 'test' }
    expect(await refusal(publishBranch(repository, worktree, request))).toMatchObject({
      code: 'E_BRANCH_MOVED',
    })
  })

  test('takes the tree back where the branch is moved away underneath it', async () => {
    const scene = await makeLanding()
    const { worktree, repository } = scene
    const before = git(worktree.tree_path, 'rev-parse', 'HEAD')
    const to = parseObjectId(git(scene.tree, 'rev-parse', 'HEAD'))
    const racing = watched(repository, (step) => {
      if (step === 'move the branch') {
        git(scene.root, 'update-ref', `refs/heads/${worktree.branch}`, scene.record.base_commit)
      }
    })
    const from = parseObjectId(before)
    expect(await refusal(publishBranch(racing, worktree, { from, to, reason: 'test' }))).toMatchObject({
      code: 'E_BRANCH_MOVED',
    })
    git(scene.root, 'update-ref', `refs/heads/${worktree.branch}`, before)
    expectSettled(scene, false)
  })

  test('goes backwards as well: what a landing brought is taken away', async () => {
    const scene = await makeLanding()
    const { from, to, worktree } = await landInvocation(scene.repository, scene.record, {})
    await publishBranch(scene.repository, worktree, { from: to, to: from, reason: 'agency: undo' })
    const { tree_path } = scene.worktree
    expect(shell(tree_path, 'git status --porcelain').trimEnd()).toBe(EDITS)
    expect(git(tree_path, 'log', '-1', '--format=%s')).toBe('Mine')
    expect(existsSync(join(tree_path, 'd'))).toBe(false)
    expect(git(tree_path, 'log', '-g', '-1', '--format=%gs', 'HEAD')).toBe('agency: undo')
  })
})
