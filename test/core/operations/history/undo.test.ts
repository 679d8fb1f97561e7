import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { integrationBranch } from '../../../../src/core/model/worktree.ts'
import { operationLines } from '../../../../src/core/operations/history/operation-lines.ts'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { removeWorktree } from '../../../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { readWorktree } from '../../../../src/core/store/worktrees.ts'
import { git, writeFiles } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import {
  branchesOf,
  makeSandbox,
  makeScene,
  makeWorktree,
  type Scene,
  shell,
} from '../../../support/scene/sandbox.ts'

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record
const quiet = { end: noneRuns, progress: () => {} }
const discard = ({ repository, record }: Scene) => discardInvocation(repository, record, noneRuns)
const remove = ({ repository, worktree }: Scene, force = true) =>
  removeWorktree(repository, worktree, { ...quiet, force })
const recordOf = ({ repository, record }: Scene) => readInvocation(repository.paths, record.invocation_id)
const branches = (scene: Scene): string => branchesOf(scene).join('\n')
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof AgencyError ? `${error.code}: ${error.message}` : error),
  )

async function makeBusyScene(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', b: 'b\n', '.gitignore': '*.log\n' })
  shell(
    scene.tree,
    'echo more >> a; git commit -qam more; echo staged > s; git add s; echo new > n; rm b; echo x > x.log',
  )
  return scene
}

test('a discarded sandbox comes back whole, and can be discarded again', async () => {
  const scene = await makeBusyScene()
  const before = [
    treeManifest(scene.tree, new Set(['x.log'])),
    git(scene.tree, 'status', '--short'),
    branches(scene),
  ]
  const { invocation, notes, kept_ref } = await discard(scene)
  expect(invocation.landing_status).toBe('discarded')
  expect(notes).toEqual(['ignored files are not kept'])
  expect(kept_ref).toBe(`refs/agency/trash/${scene.record.invocation_id}`)
  expect(existsSync(scene.tree)).toBe(false)
  expect(git(scene.root, 'worktree', 'list')).not.toContain('sandboxes')
  expect(branches(scene)).not.toContain('agency/sandbox-')

  const { operation } = await undoLast(scene.repository)
  expect(operation.description).toBe(`discarded ${scene.record.invocation_id.slice(-4)} (shell)`)
  expect([treeManifest(scene.tree), git(scene.tree, 'status', '--short'), branches(scene)]).toEqual(before)
  expect(recordOf(scene)).toMatchObject({ landing_status: 'pending' })
  expect(readFileSync(join(scene.tree, '.agency/SANDBOX_MARKER'), 'utf8')).toContain('sandbox')

  await redoLast(scene.repository)
  expect(existsSync(scene.tree)).toBe(false)
  expect(recordOf(scene)).toMatchObject({ landing_status: 'discarded' })
  await undoLast(scene.repository)
  expect([treeManifest(scene.tree), git(scene.tree, 'status', '--short'), branches(scene)]).toEqual(before)
})

test('what was done to a sandbox between undo and redo is kept as well', async () => {
  const scene = await makeBusyScene()
  await discard(scene)
  await undoLast(scene.repository)
  writeFileSync(join(scene.tree, 'later'), 'later\n')
  await redoLast(scene.repository)
  await undoLast(scene.repository)
  expect(readFileSync(join(scene.tree, 'later'), 'utf8')).toBe('later\n')
})

test('checkpoints go with a discard and come back with it', async () => {
  const scene = await makeBusyScene()
  const ref = `refs/agency/snapshots/${scene.record.invocation_id}/1`
  git(scene.root, 'update-ref', ref, 'HEAD')
  await discard(scene)
  expect(git(scene.root, 'for-each-ref', ref)).toBe('')
  await undoLast(scene.repository)
  expect(git(scene.root, 'rev-parse', ref)).toBe(git(scene.root, 'rev-parse', 'HEAD'))
})

test('files that git cannot hold wait in the trash and come back, ignored ones beside them', async () => {
  const scene = await makeScene({ a: 'a\n', '.gitignore': '*.log\n' })
  shell(scene.tree, 'git init -q nested; echo x > nested/x; echo y > y.log; echo b > a')
  const before = treeManifest(scene.tree)
  const { notes } = await discard(scene)
  expect(notes).toEqual(['git cannot hold nested: all files of the sandbox wait in the trash until gc'])
  expect(readdirSync(scene.repository.paths.trashDir)).toEqual([expect.stringMatching(/\.kept$/)])
  await undoLast(scene.repository)
  expect(treeManifest(scene.tree)).toEqual(before)
  expect(readdirSync(scene.repository.paths.trashDir)).toEqual([])
  expect(git(scene.tree, 'status', '--short')).toBe(' M a\n?? nested/')
})

test('a branch of a sandbox that the person has checked out stays', async () => {
  const scene = await makeScene()
  git(scene.tree, 'checkout', '-q', '--detach')
  git(scene.root, 'checkout', '-q', scene.record.sandbox_branch)
  await discard(scene)
  expect(branches(scene)).toContain(scene.record.sandbox_branch)
  await undoLast(scene.repository)
  expect(existsSync(scene.tree)).toBe(true)
})

test('a running invocation is ended first, and one that outlives that is not touched', async () => {
  const scene = await makeBusyScene()
  const running = { ...scene.record, status: 'running' as const }
  const outlives = await code(discardInvocation(scene.repository, running, noneRuns))
  expect(outlives).toMatch(/^E_STILL_RUNNING/)
  expect(existsSync(scene.tree)).toBe(true)
  await discardInvocation(scene.repository, running, async () => scene.record)
  expect(existsSync(scene.tree)).toBe(false)
  expect(await code(discard({ ...scene, record: recordOf(scene) }))).toMatch(/^E_INVOCATION_CLOSED/)
})

test('undo is refused, naming what moved, and touches nothing then', async () => {
  const scene = await makeBusyScene()
  await discard(scene)
  git(scene.root, 'branch', scene.record.sandbox_branch, 'HEAD')
  const before = [git(scene.root, 'for-each-ref'), git(scene.root, 'worktree', 'list')]
  expect(await code(undoLast(scene.repository))).toMatch(/^E_UNDO_MOVED: agency\/sandbox-\S+ is at \w{7} now/)
  expect([git(scene.root, 'for-each-ref'), git(scene.root, 'worktree', 'list')]).toEqual(before)
  expect(existsSync(scene.tree)).toBe(false)
})

test('undo is refused when what it needs has expired', async () => {
  const scene = await makeBusyScene()
  const { kept_ref } = await discard(scene)
  git(scene.root, 'update-ref', '-d', kept_ref)
  expect(await code(undoLast(scene.repository))).toMatch(/^E_UNDO_EXPIRED/)
  expect(recordOf(scene).landing_status).toBe('discarded')
})

test('there is nothing to undo or redo at first, and a new verb ends redo', async () => {
  const scene = await makeBusyScene()
  expect(await code(undoLast(scene.repository))).toMatch(/^E_NOTHING_TO_UNDO/)
  expect(await code(redoLast(scene.repository))).toMatch(/^E_NOTHING_TO_REDO/)
  const other = await makeSandbox(scene.repository, scene.worktree)
  await discard(scene)
  await undoLast(scene.repository)
  await discardInvocation(scene.repository, other, noneRuns)
  expect(await code(redoLast(scene.repository))).toMatch(/^E_NOTHING_TO_REDO/)
  expect(operationLines(scene.repository).map(({ operation, state }) => [operation.kind, state])).toEqual([
    ['discard', 'superseded'],
    ['undo', 'done'],
    ['discard', 'done'],
  ])
})

test('a landing is undone and done again: branch, tree, own edits, sandbox and record', async () => {
  const scene = await makeBusyScene()
  const { repository, worktree } = scene
  writeFileSync(join(worktree.tree_path, 'mine'), 'of the person\n')
  const before = [
    branches(scene),
    treeManifest(worktree.tree_path),
    treeManifest(scene.tree, new Set(['x.log'])),
  ]
  const landing = await landInvocation(repository, scene.record, { apply: true })
  expect(git(worktree.tree_path, 'status', '--short')).toBe('?? mine')
  const landed = treeManifest(worktree.tree_path)

  const { notes } = await undoLast(repository)
  expect(notes).toEqual([])
  expect([branches(scene), treeManifest(worktree.tree_path), treeManifest(scene.tree)]).toEqual(before)
  expect(recordOf(scene)).toMatchObject({ landing_status: 'pending' })
  expect(readWorktree(repository.paths, worktree.worktree_id).known_head).toBe(landing.from)

  await redoLast(repository)
  expect(git(scene.root, 'rev-parse', worktree.branch)).toBe(landing.to)
  expect(treeManifest(worktree.tree_path)).toEqual(landed)
  expect(existsSync(scene.tree)).toBe(false)
  expect(recordOf(scene)).toMatchObject({ landing_status: 'landed' })
  await undoLast(repository)
  expect([branches(scene), treeManifest(worktree.tree_path), treeManifest(scene.tree)]).toEqual(before)
})

test('a landing that the person has built upon is not undone', async () => {
  const scene = await makeBusyScene()
  await landInvocation(scene.repository, scene.record, { apply: true })
  git(scene.worktree.tree_path, 'commit', '-q', '--allow-empty', '-m', 'mine')
  expect(await code(undoLast(scene.repository))).toMatch(/^E_UNDO_MOVED: agency\/feature-\w+ is at/)
  expect(existsSync(scene.tree)).toBe(false)
})

test('an undo that would overwrite own edits is refused and leaves everything as it was', async () => {
  const scene = await makeBusyScene()
  await landInvocation(scene.repository, scene.record, { apply: true })
  writeFileSync(join(scene.worktree.tree_path, 'a'), 'edited by the person\n')
  const before = [git(scene.root, 'for-each-ref'), git(scene.root, 'worktree', 'list')]
  expect(await code(undoLast(scene.repository))).toMatch(/^E_WOULD_OVERWRITE/)
  expect([git(scene.root, 'for-each-ref'), git(scene.root, 'worktree', 'list')]).toEqual(before)
  expect(existsSync(scene.tree)).toBe(false)
  expect(recordOf(scene)).toMatchObject({ landing_status: 'landed' })
})

test('a sandbox that was changed after an undo does not land again as if it had not', async () => {
  const scene = await makeBusyScene()
  await landInvocation(scene.repository, scene.record, { apply: true })
  await undoLast(scene.repository)
  writeFileSync(join(scene.tree, 'later'), 'later\n')
  expect(await code(redoLast(scene.repository))).toMatch(/^E_UNDO_MOVED: the sandbox of \w+ has changed/)
})

test('a removed worktree comes back with own edits, ignored files and its sandboxes', async () => {
  const scene = await makeBusyScene()
  const { repository, worktree } = scene
  const other = await makeSandbox(repository, worktree)
  writeFiles(showPath(other.sandbox_path), { o: 'o\n' })
  shell(
    worktree.tree_path,
    'echo edited > a; echo s > staged; git add staged; echo SECRET > .env; echo .env >> .gitignore',
  )
  const trees = () => [
    treeManifest(scene.tree, new Set(['x.log'])),
    treeManifest(showPath(other.sandbox_path)),
    treeManifest(worktree.tree_path),
    git(worktree.tree_path, 'status', '--short'),
    branches(scene),
  ]
  const before = trees()
  expect(await code(remove(scene, false))).toMatch(/^E_WORKTREE_DIRTY/)
  expect(trees()).toEqual(before)

  const removed = await remove(scene)
  expect(removed.worktree.state).toBe('archived')
  expect(removed.discarded.map((record) => record.landing_status)).toEqual(['discarded', 'discarded'])
  expect(
    [worktree.tree_path, scene.tree, showPath(other.sandbox_path)].map((path) => existsSync(path)),
  ).toEqual([false, false, false])
  expect(branches(scene)).toContain(worktree.branch)

  const { operation } = await undoLast(repository)
  expect(operation.description).toBe('removed the worktree feature, 2 sandboxes discarded')
  expect(trees()).toEqual(before)
  expect(readWorktree(repository.paths, worktree.worktree_id).state).toBe('present')
  await redoLast(repository)
  await undoLast(repository)
  expect(trees()).toEqual(before)
})

test('a worktree with running agents is removed by force only', async () => {
  const scene = await makeBusyScene()
  const { repository, record } = scene
  const path = repository.paths.invocation(record.invocation_id).meta
  writeFileSync(path, JSON.stringify({ ...record, status: 'running', landing_status: null }))
  expect(await code(remove(scene, false))).toMatch(/^E_WORKTREE_BUSY: 1 running in feature/)
  const said: string[] = []
  const end = async (): Promise<InvocationRecord> => {
    writeFileSync(path, JSON.stringify(record))
    return record
  }
  await removeWorktree(repository, scene.worktree, {
    force: true,
    end,
    progress: (message) => said.push(message),
  })
  expect(said[0]).toBe('stopping 1 agent')
  expect(existsSync(scene.tree)).toBe(false)
})

test('a removal is not undone where its name is taken or its branch has moved', async () => {
  const scene = await makeScene()
  await remove(scene)
  git(
    scene.root,
    'branch',
    '-f',
    scene.worktree.branch,
    git(scene.root, 'commit-tree', 'HEAD^{tree}', '-m', 'x'),
  )
  expect(await code(undoLast(scene.repository))).toMatch(/^E_UNDO_MOVED: agency\/feature-\w+ is at/)
  const taken = await makeScene()
  await remove(taken)
  const other = await makeWorktree(taken.repository, 'other')
  const again = { ...other, name: 'feature', branch: integrationBranch('feature', other.worktree_id) }
  writeFileSync(taken.repository.paths.worktree(again.worktree_id).meta, JSON.stringify(again))
  expect(await code(undoLast(taken.repository))).toMatch(/^E_UNDO_MOVED/)
})
