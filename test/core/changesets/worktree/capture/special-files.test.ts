import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  beginFindingSpecialFiles,
  findSpecialFiles,
} from '../../../../../src/core/changesets/worktree/capture/special-files.ts'

const NOTHING: ReadonlySet<string> = new Set()
let place: string
let tree: string

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'agency-special-')))
  tree = join(place, 'tree')
  mkdirSync(join(tree, 'a/b'), { recursive: true })
  writeFileSync(join(tree, 'a/b/file'), '')
  // So late that no directory is too young to be remembered.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(place, { recursive: true })
})

/** Waits until the file system's clock moves on. `Date` is faked, so two changes of one time would look like one. */
function nextTick(): void {
  const path = join(place, 'tick')
  const changed = (): bigint => {
    writeFileSync(path, '')
    return statSync(path, { bigint: true }).ctimeNs
  }
  for (const now = changed(); changed() === now; );
}

const makePipe = (path: string): Buffer => execFileSync('mkfifo', [join(tree, path)])

test('a pipe that is made after the first look is found, also where the directory’s time was set back', async () => {
  const long_ago = new Date(2020, 1)
  utimesSync(join(tree, 'a/b'), long_ago, long_ago)
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual([])
  nextTick()
  makePipe('a/b/pipe')
  utimesSync(join(tree, 'a/b'), long_ago, long_ago)
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual(['a/b/pipe'])
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual(['a/b/pipe'])
  nextTick()
  rmSync(join(tree, 'a/b/pipe'))
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual([])
})

test('a directory in the place of another one is read', async () => {
  mkdirSync(join(tree, 'c'))
  makePipe('c/pipe')
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual(['c/pipe'])
  nextTick()
  renameSync(join(tree, 'a/b'), join(tree, 'd'))
  renameSync(join(tree, 'c'), join(tree, 'a/b'))
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual(['a/b/pipe'])
})

test('what is to be skipped is said anew each time', async () => {
  makePipe('a/b/pipe')
  expect((await findSpecialFiles(tree, new Set(['a']))).special).toEqual([])
  expect((await findSpecialFiles(tree, NOTHING)).special).toEqual(['a/b/pipe'])
  expect((await findSpecialFiles(tree, new Set(['a/b']))).special).toEqual([])
})

test('whoever begins before knowing what to skip finds what all others find', async () => {
  makePipe('a/b/pipe')
  const begun = [beginFindingSpecialFiles(tree)]
  await findSpecialFiles(tree, new Set(['a/b']))
  begun.push(beginFindingSpecialFiles(tree), beginFindingSpecialFiles(tree), beginFindingSpecialFiles(tree))
  const skips = [NOTHING, new Set(['a/b']), new Set(['a/b']), NOTHING]
  for (const [at, finding] of begun.entries()) {
    expect(await finding(skips[at] ?? NOTHING)).toEqual(await findSpecialFiles(tree, skips[at] ?? NOTHING))
  }
})

test('a directory whose path no call can be given is told, once, and none below it', async () => {
  const deep = `import os
for _ in range(25):
    os.mkdir('d' * 200)
    os.chdir('d' * 200)`
  execFileSync('python3', ['-c', deep], { cwd: tree })
  const { hidden, modes } = await findSpecialFiles(tree, NOTHING)
  execFileSync('rm', ['-r', join(tree, 'd'.repeat(200))])
  expect(hidden).toHaveLength(1)
  expect(join(tree, hidden[0] ?? '').length).toBeGreaterThan(4095)
  expect(modes.has(hidden[0] ?? '')).toBe(false)
})
