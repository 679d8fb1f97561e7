import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openChangeset } from '../../../src/core/changesets/open-changeset.ts'
import { relocate } from '../../../src/core/changesets/relocate.ts'
import type { Effects } from '../../../src/core/doors/effects.ts'
import { undoLast } from '../../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../../src/core/operations/landing/land-invocation.ts'
import { listInvocationIds, readInvocation } from '../../../src/core/store/invocations.ts'
import { locateMisplaced, openRepository } from '../../../src/core/store/repository.ts'
import { listWorktrees } from '../../../src/core/store/worktrees.ts'
import { git, makeRepository } from '../../support/git/repository.ts'
import { sampledOf } from '../../support/run/sampled.ts'
import { makeCopy } from '../../support/scene/copy.ts'
import { makeScene, type Scene, shell } from '../../support/scene/sandbox.ts'

const FILES = { a: 'a\n' }

/** A sandbox with a commit, a staged, a new and a changed file. */
async function makeBusy(make: (files: typeof FILES) => Promise<Scene>): Promise<Scene> {
  const scene = await make(FILES)
  shell(scene.tree, 'echo one >> a; git commit -qam one; echo two > b; git add b; echo three > c; echo >> a')
  return scene
}

interface Where {
  readonly root: string
  readonly dataDir: string
}

const whereIs = ({ root, repository }: Scene): Where => ({ root, dataDir: repository.effects.dataDir })
const effectsAt = ({ repository }: Scene, { dataDir }: Where): Effects => ({ ...repository.effects, dataDir })

function moveTo(from: Where, names: { root?: string; dataDir?: string }): Where {
  const to = {
    root: names.root === undefined ? from.root : join(dirname(from.root), names.root),
    dataDir: names.dataDir === undefined ? from.dataDir : join(dirname(from.dataDir), names.dataDir),
  }
  if (to.root !== from.root) renameSync(from.root, to.root)
  if (to.dataDir !== from.dataDir) renameSync(from.dataDir, to.dataDir)
  return to
}

async function bringAlong(scene: Scene, to: Where): Promise<void> {
  const found = await locateMisplaced(effectsAt(scene, to), to.root)
  if (found === null || found.misplaced.move === null) throw new Error('nothing is found to be moved')
  await relocate(effectsAt(scene, to), found.place, found.misplaced.move)
}

const MOVES = [
  ['the repository', [{ root: 'elsewhere' }]],
  ['the data directory', [{ dataDir: 'other-data' }]],
  ['both at once', [{ root: 'elsewhere', dataDir: 'other-data' }]],
  ['one after the other, and back', [{ root: 'elsewhere' }, { dataDir: 'other-data' }, { root: 'repo' }]],
] as const

for (const [kind, make, moves] of [
  ['a linked worktree', makeScene, MOVES],
  ['a copy', makeCopy, MOVES.slice(0, 2)],
] as const) {
  test.each(sampledOf(moves))(
    `where %s was moved, nothing counts as gone, and ${kind} comes along whole`,
    async (_, moves) => {
      const scene = await makeBusy(make)
      const before = await openChangeset(scene.repository, scene.record).capture()
      let at = whereIs(scene)
      for (const names of moves) {
        at = moveTo(at, names)
        const opened = openRepository(effectsAt(scene, at), at.root)
        await expect(opened).rejects.toMatchObject({ code: 'E_REPOSITORY_MOVED' })
        await bringAlong(scene, at)
      }
      const repository = await openRepository(effectsAt(scene, at), at.root)
      const record = readInvocation(repository.paths, scene.record.invocation_id)
      const after = await openChangeset(repository, record).capture()
      expect({ ...after, begun_at: 0 }).toEqual({ ...before, begun_at: 0 })
      for (const { tree_path, repo_id } of listWorktrees(repository.paths)) {
        expect(repo_id).toBe(repository.record.repo_id)
        expect(git(tree_path, 'status', '--short')).toBe('')
      }
      await landInvocation(repository, record, { apply: true })
      await undoLast(repository)
      const again = await openChangeset(
        repository,
        readInvocation(repository.paths, record.invocation_id),
      ).capture()
      expect(again.state_tree).toBe(before.state_tree)
      expect(git(at.root, 'fsck', '--no-dangling', '--no-reflogs')).toBe('')
    },
  )
}

test('a new repository in the old place inherits nothing, and the moved one is still found', async () => {
  const scene = await makeBusy(makeScene)
  const from = whereIs(scene)
  const to = moveTo(from, { root: 'elsewhere' })
  makeRepository(from.root)
  await expect(openRepository(effectsAt(scene, from), from.root)).rejects.toMatchObject({
    code: 'E_REPOSITORY_MOVED',
    message: expect.stringContaining('another repository'),
  })
  expect(await locateMisplaced(effectsAt(scene, from), from.root)).toMatchObject({
    misplaced: { move: null },
  })
  await bringAlong(scene, to)
  const fresh = await openRepository(effectsAt(scene, from), from.root)
  expect([listWorktrees(fresh.paths), listInvocationIds(fresh.paths)]).toEqual([[], []])
  const moved = await openRepository(effectsAt(scene, to), to.root)
  expect(listInvocationIds(moved.paths)).toEqual([scene.record.invocation_id])
})

test('a copy of a repository is no move: it begins anew, and the first keeps what it has', async () => {
  const scene = await makeBusy(makeScene)
  const at = whereIs(scene)
  const copy = join(dirname(at.root), 'copied')
  cpSync(at.root, copy, { recursive: true })
  const copied = await openRepository(effectsAt(scene, at), copy)
  expect(listWorktrees(copied.paths)).toEqual([])
  expect(listWorktrees((await openRepository(effectsAt(scene, at), at.root)).paths)).toHaveLength(1)
})

test('a copy of the data directory is not used beside the first, whose trees it has', async () => {
  const scene = await makeBusy(makeScene)
  const at = whereIs(scene)
  const copy = `${at.dataDir}-copied`
  cpSync(at.dataDir, copy, { recursive: true, verbatimSymlinks: true })
  const opened = openRepository({ ...scene.repository.effects, dataDir: copy }, at.root)
  await expect(opened).rejects.toMatchObject({ hint: `AGENCY_DATA_DIR=${at.dataDir}` })
})

test('a clone or a backup in the place of a lost repository is the same one, if it has our branches', async () => {
  const scene = await makeBusy(makeScene)
  const at = whereIs(scene)
  cpSync(at.root, `${at.root}-backup`, { recursive: true })
  rmSync(at.root, { recursive: true })
  cpSync(`${at.root}-backup`, at.root, { recursive: true })
  rmSync(`${at.root}-backup`, { recursive: true })
  expect(listWorktrees((await openRepository(effectsAt(scene, at), at.root)).paths)).toHaveLength(1)
})

test('in a tree of ours whose repository has moved, that is said, and where to go', async () => {
  const scene = await makeBusy(makeScene)
  const at = moveTo(whereIs(scene), { root: 'elsewhere' })
  await expect(openRepository(effectsAt(scene, at), scene.worktree.tree_path)).rejects.toMatchObject({
    code: 'E_REPOSITORY_MOVED',
    hint: expect.stringContaining('go to where it is now'),
  })
})

test('a kill in the middle of bringing along is finished by the next try', async () => {
  const scene = await makeBusy(makeScene)
  const before = await openChangeset(scene.repository, scene.record).capture()
  const at = moveTo(whereIs(scene), { root: 'elsewhere' })
  for (const stop of [
    'move the records',
    'relocate the records',
    'relocate the trees',
    'relocate the repository',
  ]) {
    const effects: Effects = {
      ...effectsAt(scene, at),
      onStep: (step) => {
        if (step === stop) throw new Error('killed')
      },
    }
    const found = await locateMisplaced(effects, at.root)
    const move = found?.misplaced.move
    if (found === null || move === null || move === undefined) throw new Error(`lost after ${stop}`)
    await expect(relocate(effects, found.place, move)).rejects.toThrow('killed')
    await expect(openRepository(effects, at.root)).rejects.toMatchObject({ code: 'E_REPOSITORY_MOVED' })
  }
  await bringAlong(scene, at)
  const repository = await openRepository(effectsAt(scene, at), at.root)
  const record = readInvocation(repository.paths, scene.record.invocation_id)
  expect((await openChangeset(repository, record).capture()).state_tree).toBe(before.state_tree)
})

test('what an agent has put in the place of git’s pointers is not written through', async () => {
  const scene = await makeBusy(makeScene)
  const victim = join(dirname(scene.root), 'victim')
  writeFileSync(victim, 'mine\n')
  rmSync(join(scene.tree, '.git'))
  shell(scene.tree, `ln -s '${victim}' .git`)
  const at = moveTo(whereIs(scene), { root: 'elsewhere' })
  await bringAlong(scene, at)
  expect(shell(dirname(scene.root), 'cat victim')).toBe('mine\n')
})
