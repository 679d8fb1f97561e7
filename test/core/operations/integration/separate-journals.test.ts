// A restore or landing that was interrupted and cannot be finished belongs to its own tree: all others go on.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import type { WorktreeRecord } from '../../../../src/core/model/worktree.ts'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { removeWorktree } from '../../../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { listInterrupted } from '../../../../src/core/store/interrupted.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeSandbox, makeScene, makeWorktree, type Scene, shell } from '../../../support/scene/sandbox.ts'

const same = async (record: InvocationRecord): Promise<InvocationRecord> => record
const discard = (repository: Repository, record: InvocationRecord) =>
  discardInvocation(repository, readInvocation(repository.paths, record.invocation_id), same)
const land = (repository: Repository, record: InvocationRecord) =>
  landInvocation(repository, readInvocation(repository.paths, record.invocation_id), { apply: true })
const restore = (repository: Repository, record: InvocationRecord) =>
  restoreCheckpoint(repository, record, { checkpoint: 1, settings: SETTINGS })
const remove = (repository: Repository, worktree: WorktreeRecord) =>
  removeWorktree(repository, worktree, { force: true, end: same, progress: () => {} })
const collect = (repository: Repository) => collectGarbage(repository, { keep_days: 14, dry_run: false })

const withSteps = (repository: Repository, onStep: (step: string) => void): Repository => ({
  ...repository,
  effects: { ...repository.effects, onStep },
})

/** From this step on nothing is done any more, as after a kill. */
function killedAt(repository: Repository, last: string, then: () => void = () => {}): Repository {
  let dead = false
  return withSteps(repository, (step) => {
    if (step === last && !dead) then()
    dead ||= step === last
    if (dead) throw new Error('the process is gone')
  })
}

/** Files of sandboxes cannot be written by a restore, for as long as `blocked` says so. */
const hindered = (repository: Repository, blocked: () => boolean): Repository =>
  withSteps(repository, (step) => {
    if (step === 'write the files' && blocked())
      throw new AgencyError('E_TREE_UNWRITABLE', 'ro/f cannot be replaced')
  })

/** Every lock of git's looks as if a live git held it. */
const heldByAnother = ({ effects, ...rest }: Repository): Repository => ({
  ...rest,
  effects: { ...effects, processes: { ...effects.processes, holderOf: () => effects.processes.self } },
})

interface Beside {
  readonly scene: Scene
  /** In a worktree of its own, with uncommitted work. */
  readonly other: InvocationRecord
  readonly elsewhere: WorktreeRecord
  readonly repository: Repository
}

let blocked = true
beforeEach(() => {
  blocked = true
})

/** The scene's sandbox is in the middle of a restore that cannot be finished. */
async function makeStuckRestore(): Promise<Beside> {
  const scene = await makeScene({ a: 'a\n' })
  const elsewhere = await makeWorktree(scene.repository, 'elsewhere')
  const other = await makeSandbox(scene.repository, elsewhere)
  shell(showPath(other.sandbox_path), 'echo innocent > i')
  shell(scene.tree, 'echo b > b')
  await takeNow(scene.repository, scene.record)
  shell(scene.tree, 'echo c > a; rm b; echo d > d')
  await expect(restore(killedAt(scene.repository, 'write the files'), scene.record)).rejects.toThrow('gone')
  expect(listInterrupted(scene.repository.paths)).toHaveLength(1)
  return { scene, other, elsewhere, repository: hindered(scene.repository, () => blocked) }
}

describe('beside a sandbox whose restore cannot be finished', () => {
  test('other sandboxes land, are discarded, restored, undone and done again; gc, create and rm work', async () => {
    const { repository, other, elsewhere, scene } = await makeStuckRestore()
    await land(repository, other)
    await undoLast(repository)
    await redoLast(repository)
    await undoLast(repository)
    await takeNow(repository, other)
    shell(showPath(other.sandbox_path), 'echo more >> i')
    blocked = false
    await restore(scene.repository, other)
    blocked = true
    await undoLast(hindered(repository, () => false))
    await discard(repository, other)
    await undoLast(repository)
    await createWorktree(repository, { name: 'third', cwd: scene.root })
    await collect(repository)
    await remove(repository, elsewhere)
    await undoLast(repository)
  })

  test('its own verbs say what stands in the way, which file says so, and what to type; nothing is changed', async () => {
    const { repository, scene } = await makeStuckRestore()
    const [{ path } = { path: '' }] = listInterrupted(repository.paths)
    const before = shell(scene.tree, 'cat a; ls')
    for (const verb of [land, discard, restore, (its: Repository) => remove(its, scene.worktree)]) {
      const refused = await refusal(verb(repository, scene.record))
      expect(refused.code).toBe('E_TREE_UNWRITABLE')
      expect(refused.message).toContain('ro/f cannot be replaced')
      expect(refused.message).toContain(path)
      expect(refused.hint).toContain('agency doctor --fix')
    }
    expect(shell(scene.tree, 'cat a; ls')).toBe(before)
  })

  test('they finish it as soon as nothing stands in the way', async () => {
    const { repository, scene } = await makeStuckRestore()
    await collect(repository)
    blocked = false
    await discard(repository, scene.record)
    await undoLast(repository)
    expect(shell(scene.tree, 'cat a b; ls')).toBe('a\nb\na\nb\n')
  })

  test('doctor names it with its reason, and --fix gives it up: all is kept, and the sandbox can be used', async () => {
    const { repository, scene } = await makeStuckRestore()
    await collect(repository)
    const { findings } = await diagnose(repository)
    const about = findings.filter(({ subject }) => subject === 'restore')
    expect(about).toMatchObject([
      { message: expect.stringContaining('ro/f cannot be replaced'), fixable: true },
    ])
    const { fixed } = await diagnose(repository, { fix: true })
    const [, before = ''] = /state before it is ([0-9a-f]{40})/.exec(fixed.join()) ?? []
    expect(git(scene.root, 'show', `${before}:d`)).toBe('d')
    expect(git(scene.root, 'for-each-ref', '--points-at', before)).toContain('refs/agency/')
    expect(listInterrupted(repository.paths)).toEqual([])
    expect((await diagnose(repository)).findings.filter(({ level }) => level === 'problem')).toEqual([])
    await discard(repository, scene.record)
    await undoLast(repository)
    blocked = false
    await restore(repository, scene.record)
    expect(shell(scene.tree, 'cat a b')).toBe('a\nb\n')
  })
})

describe('a journal that', () => {
  test('an older version has left is finished from where that put it', async () => {
    const { scene } = await makeStuckRestore()
    const { paths } = scene.repository
    const [{ path } = { path: '' }] = listInterrupted(paths)
    renameSync(path, paths.oldJournals.restore)
    await collect(scene.repository)
    expect(listInterrupted(paths)).toEqual([])
    expect(shell(scene.tree, 'cat a b')).toBe('a\nb\n')
  })

  sample(test).each([
    ['is no JSON', '{'],
    ['lacks its fields', '{"schema_version":"1.0"}'],
    ['is empty', ''],
    ['is about another sandbox', null],
  ])('%s keeps nobody else waiting, and doctor --fix sets it aside', async (_, text) => {
    const scene = await makeScene({ a: 'a\n' })
    const { repository } = scene
    const other = await makeSandbox(repository, scene.worktree)
    const { journalsDir, oldJournals } = repository.paths
    mkdirSync(journalsDir)
    const path = join(journalsDir, `restore-${scene.record.invocation_id}.json`)
    writeFileSync(path, text ?? JSON.stringify({ invocation_id: other.invocation_id }))
    writeFileSync(oldJournals.landing, text ?? '[]')
    await discard(repository, other)
    expect((await refusal(discard(repository, scene.record))).message).toContain(path)
    await diagnose(repository, { fix: true })
    expect(listInterrupted(repository.paths)).toEqual([])
    await discard(repository, scene.record)
  })
})

/** A landing was killed before or after the branch moved, and now another git holds the worktree's index. */
async function makeStuckLanding(last: string): Promise<Beside & { readonly lock: string }> {
  const scene = await makeScene({ a: 'a\n' })
  const elsewhere = await makeWorktree(scene.repository, 'elsewhere')
  const other = await makeSandbox(scene.repository, elsewhere)
  shell(showPath(other.sandbox_path), 'echo innocent > i')
  shell(scene.tree, 'echo b > a; echo n > n')
  const lock = join(scene.worktree.git_dir, 'index.lock')
  const taken = killedAt(scene.repository, last, () => {
    rmSync(lock, { force: true })
    writeFileSync(lock, '')
  })
  await expect(land(taken, scene.record)).rejects.toThrow()
  expect(listInterrupted(scene.repository.paths)).toHaveLength(1)
  return { scene, other, elsewhere, repository: scene.repository, lock }
}

describe.each(['move the branch', 'put the index in place'])(
  'beside a worktree where a landing was killed at "%s"',
  (last) => {
    test('other worktrees go on, its own verbs say why they do not, and it is finished when nothing is in the way', async () => {
      const { repository, other, scene, lock, elsewhere } = await makeStuckLanding(last)
      await land(repository, other)
      await undoLast(repository)
      await discard(repository, other)
      await collect(repository)
      await remove(repository, elsewhere)
      await createWorktree(repository, { name: 'third', cwd: scene.root })
      const refused = await refusal(land(repository, scene.record))
      expect(refused.code).toBe('E_INTEGRATION_BUSY')
      expect(refused.message).toContain(lock)
      rmSync(lock)
      const second = await makeSandbox(repository, scene.worktree)
      shell(showPath(second.sandbox_path), 'echo s > s')
      await land(repository, second)
      expect(listInterrupted(repository.paths)).toEqual([])
      expect(shell(scene.worktree.tree_path, 'git status --porcelain')).toBe('')
    })

    test('doctor --fix gives it up: the branch is where it was or where it was to go, and the work is kept', async () => {
      const { repository, scene, lock } = await makeStuckLanding(last)
      const { fixed } = await diagnose(heldByAnother(repository), { fix: true })
      expect(fixed.join()).toContain('gave up')
      expect(listInterrupted(repository.paths)).toEqual([])
      rmSync(lock)
      const landed = readInvocation(repository.paths, scene.record.invocation_id).landing_status === 'landed'
      expect(landed).toBe(last === 'put the index in place')
      if (!landed) shell(scene.worktree.tree_path, 'git reset -q --hard; git clean -fdq')
      if (!landed) await land(repository, scene.record)
      expect(git(scene.root, 'show', `${scene.worktree.branch}:n`)).toBe('n')
    })
  },
)
