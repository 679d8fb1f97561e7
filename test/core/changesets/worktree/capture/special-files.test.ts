import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findSpecialFiles } from '../../../../../src/core/changesets/worktree/capture/special-files.ts'

const NOTHING: ReadonlySet<string> = new Set()
let tree: string

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'agency-special-')))
  mkdirSync(join(tree, 'a/b'), { recursive: true })
  writeFileSync(join(tree, 'a/b/file'), '')
  // Late enough for all of them to be remembered.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(tree, { recursive: true })
})

const makePipe = (path: string): Buffer => execFileSync('mkfifo', [join(tree, path)])

test('a pipe that is made after the first look is found, also where the directory’s time was set back', async () => {
  const long_ago = new Date(2020, 1)
  utimesSync(join(tree, 'a/b'), long_ago, long_ago)
  expect(await findSpecialFiles(tree, NOTHING)).toEqual([])
  makePipe('a/b/pipe')
  utimesSync(join(tree, 'a/b'), long_ago, long_ago)
  expect(await findSpecialFiles(tree, NOTHING)).toEqual(['a/b/pipe'])
  expect(await findSpecialFiles(tree, NOTHING)).toEqual(['a/b/pipe'])
  rmSync(join(tree, 'a/b/pipe'))
  expect(await findSpecialFiles(tree, NOTHING)).toEqual([])
})

test('a directory in the place of another one is read', async () => {
  mkdirSync(join(tree, 'c'))
  makePipe('c/pipe')
  expect(await findSpecialFiles(tree, NOTHING)).toEqual(['c/pipe'])
  renameSync(join(tree, 'a/b'), join(tree, 'd'))
  renameSync(join(tree, 'c'), join(tree, 'a/b'))
  expect(await findSpecialFiles(tree, NOTHING)).toEqual(['a/b/pipe'])
})

test('what is to be skipped is said anew each time', async () => {
  makePipe('a/b/pipe')
  expect(await findSpecialFiles(tree, new Set(['a']))).toEqual([])
  expect(await findSpecialFiles(tree, NOTHING)).toEqual(['a/b/pipe'])
  expect(await findSpecialFiles(tree, new Set(['a/b']))).toEqual([])
})
