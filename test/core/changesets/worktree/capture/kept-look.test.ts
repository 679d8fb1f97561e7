import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Capture } from '../../../../../src/core/changesets/changeset.ts'
import { knownLocation } from '../../../../../src/core/changesets/location.ts'
import { openChangeset } from '../../../../../src/core/changesets/open-changeset.ts'
import {
  dropLook,
  findLook,
  stillHolds,
} from '../../../../../src/core/changesets/worktree/capture/kept-look.ts'
import { linkedHeads } from '../../../../../src/core/doors/git/read-head.ts'
import { stampOf } from '../../../../../src/core/doors/system/file-stamp.ts'
import { showPath } from '../../../../../src/core/model/sandbox-path.ts'
import { git } from '../../../../support/git/repository.ts'
import { sample } from '../../../../support/run/sampled.ts'
import { makeScene, type Scene, shell } from '../../../../support/scene/sandbox.ts'

/** Long names, with which few files make an index of a megabyte. */
const DEEP = Array.from({ length: 12 }, (_, depth) => `${depth}`.padEnd(240, 'x')).join('/')
const FILES = {
  a: 'a\n',
  'd/b': 'b\n',
  '.gitignore': 'ignored/\n*.o\n',
  ...Object.fromEntries(Array.from({ length: 370 }, (_, n) => [`${DEEP}/${n}`, `${n}\n`])),
}

const lookedAt = ({ repository, record }: Scene): string =>
  repository.paths.invocation(record.invocation_id).looked

/** null if no kept look counts, or if it does not hold any more. */
async function look({ repository, record }: Scene, since = 0): Promise<{ has_ignored: boolean } | null> {
  const { sandboxDir, looked } = repository.paths.invocation(record.invocation_id)
  const { git } = repository
  const where = knownLocation(record)
  const request = {
    git,
    where,
    heads: linkedHeads({ git, where, fallbackHead: record.base_commit }),
    scratchDir: sandboxDir,
    fallbackHead: record.base_commit,
    looked: { dir: looked, since },
  }
  const found = findLook(request)
  return found !== null && (await stillHolds(request, found)) ? { has_ignored: found.has_ignored } : null
}

/**
 * Waits for the next second. git tells times apart by the second, even the time of the last change of any kind, which
 * nobody can set. Files are stamped by a clock that is up to a tick behind that of `date`, so a file says when the
 * second is over.
 */
const NEXT_SECOND =
  'touch ../begun; until touch ../now; [ $(stat -c %Z ../now) != $(stat -c %Z ../begun) ]; do :; done'

/** Sets all times back, because git reads a directory again if it was written in the same second as the index. */
const REST = "find . -path ./.git -prune -o -exec touch -h -d '1 minute ago' {} +"

/** A tree that nobody has written for a while, and a kept look at it. */
async function restingScene(
  script = 'true',
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const scene = await makeScene(FILES, settings)
  shell(scene.tree, `${script}\n${REST}`)
  await openChangeset(scene.repository, scene.record).keepLook()
  if ((await look(scene)) === null) throw new Error('no look at the tree was kept that still holds')
  return scene
}

const untimed = ({ begun_at, ...capture }: Capture): Omit<Capture, 'begun_at'> => capture

test.each([
  ['with nothing ignored', 'true', false],
  ['with ignored files', 'mkdir ignored; echo x > ignored/x', true],
  ['after commits', 'echo more >> a; git mv d e; git commit -qam Work', false],
])('a tree that is as it was is captured as clean, %s', async (_, script, has_ignored) => {
  const scene = await restingScene(script)
  expect(await look(scene)).toEqual({ has_ignored })
  expect(await openChangeset(scene.repository, scene.record).capture()).toMatchObject({
    dirty: false,
    has_ignored,
    head: git(scene.tree, 'rev-parse', 'HEAD'),
    state_tree: git(scene.tree, 'rev-parse', 'HEAD^{tree}'),
    index_tree: null,
    incomplete: [],
  })
})

sample(test).each([
  ['an edit', 'echo more >> a'],
  ['an edit of the same size', 'echo b > a'],
  ['an edit of the same size and time', `${NEXT_SECOND}; touch -r a ../then; echo b > a; touch -r ../then a`],
  ['a mode', 'chmod +x a'],
  ['a deletion', 'rm a'],
  ['a file in the place of another', 'mv d/b a'],
  ['a new file', 'echo x > new'],
  [
    'a new file in a directory whose time was set back',
    `${NEXT_SECOND}; touch -r d ../then; echo x > d/n; touch -r ../then d`,
  ],
  ['a new directory', 'mkdir new; echo x > new/x'],
  ['a new file deep inside', `cd $(dirname $(find . -name 17)); echo x > new`],
  ['a new ignored file', 'echo x > d/x.o'],
  ['a new ignored directory', 'mkdir ignored; echo x > ignored/x'],
  ['a pipe', 'mkfifo pipe'],
  ['an empty directory', 'mkdir empty'],
  ['a rule that ignores less', 'echo x > d/x.o; echo > .gitignore'],
  ['a rule of the repository', 'echo "a*" >> "$(git rev-parse --git-common-dir)/info/exclude"; echo x > any'],
  ['a file staged', 'echo more >> a; git add a'],
  ['a file staged and taken back', 'echo more >> a; git add a; echo a > a'],
  ['a commit', 'echo more >> a; git commit -qam More'],
  ['a commit without files', 'git commit -q --allow-empty -m Empty'],
  ['another branch', 'git checkout -q -b other'],
  ['a detached HEAD', 'git checkout -q --detach'],
  ['an older commit checked out softly', 'git commit -q --allow-empty -m x; git reset -q --soft HEAD~1'],
  ['an edit hidden by assume-unchanged', 'git update-index --assume-unchanged a; echo b > a'],
  ['an edit hidden by skip-worktree', 'git update-index --skip-worktree a; echo b > a'],
  ['a nested repository', 'git init -q nested; git -C nested commit -q --allow-empty -m x'],
  ['a repository in the place of the link', 'rm .git; git init -q'],
  ['no index', 'rm "$(git rev-parse --git-dir)/index"'],
])('what a look at everything finds is found: %s', async (_, script) => {
  const scene = await restingScene()
  shell(scene.tree, script)
  const changeset = openChangeset(scene.repository, scene.record)
  const quick = await changeset.capture()
  dropLook(lookedAt(scene))
  expect(untimed(quick)).toEqual(untimed(await changeset.capture()))
})

test.each([
  ['core.trustctime', 'false', 'touch -r a ../then; echo b > a; touch -r ../then a'],
  ['core.trustctime', 'false', 'chmod 600 a'],
  ['core.checkStat', 'minimal', 'touch -r a ../then; echo b > a; touch -r ../then a'],
  ['core.fileMode', 'false', 'chmod +x a'],
])('what git is told to pass over is found all the same: %s=%s, %s', async (setting, value, script) => {
  const scene = await restingScene('true', { [setting]: value })
  shell(scene.tree, `${NEXT_SECOND}; ${script}`)
  expect(await look(scene)).toBeNull()
  const { dirty, verbatim } = await openChangeset(scene.repository, scene.record).capture()
  expect(dirty || verbatim !== null).toBe(true)
})

test('no look is kept of a tree with work in it, nor of a small one', async () => {
  const scene = await makeScene(FILES)
  const changeset = openChangeset(scene.repository, scene.record)
  await changeset.keepLook()
  shell(scene.tree, 'echo x > new')
  await changeset.keepLook()
  expect(existsSync(lookedAt(scene))).toBe(false)
  const small = await makeScene()
  await openChangeset(small.repository, small.record).keepLook()
  expect(existsSync(lookedAt(small))).toBe(false)
})

test('a look that was damaged counts for nothing', async () => {
  const scene = await restingScene()
  const looked = lookedAt(scene)
  shell(looked, 'echo "{}" > look.json')
  expect(await look(scene)).toBeNull()
  const again = await restingScene()
  shell(lookedAt(again), 'head -c 5000 index > cut; mv cut index')
  expect(await look(again)).toBeNull()
})

test('a look from before the end of the run counts for nothing: its agent could have written it', async () => {
  const scene = await restingScene()
  expect(await look(scene, Date.now() + 1000)).toBeNull()
  shell(
    scene.tree,
    'git update-index --assume-unchanged a; cp "$(git rev-parse --git-dir)/index" ../looked/index; echo b > a',
  )
  const stamp = stampOf(join(showPath(scene.record.git_dir), 'index'))
  shell(
    lookedAt(scene),
    `echo '{"index":"${stamp}","has_ignored":false}' > look.json; touch -d 2040-01-01 look.json index`,
  )
  const record = { ...scene.record, finished_at: new Date(Date.now() + 1000).toISOString() }
  expect(await openChangeset(scene.repository, record).capture()).toMatchObject({ dirty: true })
})

test('keeping a look writes nothing of the agent, and closing the sandbox takes it away', async () => {
  const scene = await makeScene(FILES)
  const changeset = openChangeset(scene.repository, scene.record)
  const index = join(showPath(scene.record.git_dir), 'index')
  const then = new Date(1_700_000_000_000)
  utimesSync(index, then, then)
  const before = statSync(index)
  await changeset.keepLook()
  await changeset.capture()
  const { ino, mtimeMs, size } = statSync(index)
  expect({ ino, mtimeMs, size }).toEqual({ ino: before.ino, mtimeMs: before.mtimeMs, size: before.size })
  const { begun_at } = await changeset.capture()
  await changeset.remove(begun_at)
  expect(existsSync(lookedAt(scene))).toBe(false)
})
