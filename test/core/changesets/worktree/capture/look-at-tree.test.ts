import { existsSync, lstatSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Capture } from '../../../../../src/core/changesets/changeset.ts'
import { openChangeset } from '../../../../../src/core/changesets/open-changeset.ts'
import { readFilled } from '../../../../../src/core/changesets/worktree/make/filled-stamp.ts'
import { undoLast } from '../../../../../src/core/operations/history/undo-operation.ts'
import { discardInvocation } from '../../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { git } from '../../../../support/git/repository.ts'
import { exactManifest } from '../../../../support/git/tree-manifest.ts'
import { makeScene, type Scene, shell } from '../../../../support/scene/sandbox.ts'

const FILES = {
  '.gitattributes': '*.f filter=told\n*.txt text\n',
  'a.f': 'one\n',
  'b.txt': 'two\n',
  c: 'ccc\n',
}

/** Where a clean filter writes what git reads of `a.f`. */
const LOG = '../read.log'
const TOLD = { 'filter.told.clean': `tee -a ${LOG}` }

const capture = ({ repository, record }: Scene): Promise<Capture> =>
  openChangeset(repository, record).captureToClose()

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

const secondOf = ({ tree }: Scene): number => readFilled(tree)?.seconds ?? 0

const indexOf = ({ tree }: Scene): string =>
  git(tree, 'rev-parse', '--path-format=absolute', '--git-path', 'index')

/** By the clock of the file system. */
async function awaitEndOfSecond(scene: Scene): Promise<void> {
  const probe = join(scene.tree, '../probe')
  await vi.waitUntil(
    () => {
      rmSync(probe, { force: true })
      writeFileSync(probe, '')
      return Math.floor(statSync(probe).ctimeMs / 1000) > secondOf(scene)
    },
    { timeout: 60_000, interval: 10 },
  )
  rmSync(probe)
}

/** All of it in the second in which the tree was filled. */
async function makeSceneWithin(script = 'true'): Promise<Scene> {
  for (;;) {
    const scene = await makeScene(FILES, TOLD)
    shell(scene.tree, script)
    const changed = ['a.f', 'b.txt', 'c'].map((path) => lstatSync(join(scene.tree, path)).ctimeMs)
    const seconds = [...changed, statSync(indexOf(scene)).mtimeMs].map((ms) => Math.floor(ms / 1000))
    if (seconds.every((second) => second === secondOf(scene))) return scene
  }
}

/** Seconds. Where the stamp is of the next second, git would read what was written in the one before, too. */
const AGES = [0, 1, 100_000]

function setIndexBack(scene: Scene, age: number): void {
  const seconds = secondOf(scene) - age
  if (age > 0) utimesSync(indexOf(scene), seconds, seconds)
}

test.each(AGES)(
  'files as old as their index are not read once the second in which they were written is over: an index %i s older',
  async (age) => {
    const scene = await makeSceneWithin()
    setIndexBack(scene, age)
    await awaitEndOfSecond(scene)
    for (let round = 0; round < 2; round++)
      expect(await capture(scene)).toMatchObject({ dirty: false, verbatim: null })
    expect(existsSync(join(scene.tree, LOG))).toBe(false)
  },
)

test('a change after that second is seen, with a time of the file that was set back', async () => {
  const scene = await makeSceneWithin()
  await awaitEndOfSecond(scene)
  shell(scene.tree, 'touch -r c ../r; echo ddd > c; touch -r ../r c; rm ../r')
  expect(await capture(scene)).toMatchObject({ dirty: true })
})

test.each([
  ['content of the same size in an index that is older', 100_000, 'echo two > a.f; echo eno > b.txt'],
  ['content of the same size', 0, 'echo two > a.f; echo eno > b.txt'],
  [
    'content of the same size, with its times set back',
    1,
    'touch -r c ../r; echo ddd > c; touch -r ../r c; rm ../r',
  ],
  ['another file of the same size in its place', 0, 'echo ddd > c.new; mv c.new c'],
  ['a mode that git does not know', 0, 'chmod 600 c'],
  ['a mode that git knows', 1, 'chmod +x c'],
  ['content of the same size, staged and edited again', 0, 'echo ddd > c; git add c; echo eee > c'],
  ['line ends', 100_000, `printf 'two\\r\\n' > b.txt`],
])(
  'a change in the second in which the tree was filled is seen when it is over: %s',
  async (_, age, script) => {
    const scene = await makeSceneWithin(script)
    setIndexBack(scene, age)
    const before = exactManifest(scene.tree)
    await awaitEndOfSecond(scene)
    await discardInvocation(scene.repository, scene.record, never)
    await undoLast(scene.repository)
    expect(exactManifest(scene.tree)).toEqual(before)
  },
)
