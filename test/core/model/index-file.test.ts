import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPlainIndex } from '../../../src/core/model/index-file.ts'
import { git, makeRepository, makeScratch } from '../../support/git/repository.ts'
import { shell } from '../../support/scene/sandbox.ts'

const readAfter = (script: string): readonly string[] | null => {
  const root = makeRepository(join(makeScratch(), 'r'), { a: 'a\n', 'd/b': 'b\n', ['x'.repeat(200)]: 'x\n' })
  shell(root, script)
  const index = readFileSync(join(root, git(root, 'rev-parse', '--git-path', 'index')))
  return readPlainIndex(index, 20)?.nested ?? null
}

const SUBMODULE =
  'git init -q s; git -C s commit -q --allow-empty -m s; git -c advice.addEmbeddedRepo=false add s'

test.each([
  ['an ordinary index', 'true', []],
  ['an entry that is intended to be added', 'echo n > n; git add -N n', []],
  ['something staged', 'git rm -q --cached a', []],
  ['a conflict', 'printf "100644 $(git rev-parse HEAD:a) 1\\ta\\n" | git update-index --index-info', null],
  ['a nested repository', SUBMODULE, ['s']],
  ['an entry that is assumed unchanged', 'git update-index --assume-unchanged a', null],
  ['an entry that is skipped', 'git update-index --skip-worktree a', null],
  ['version 4', 'git update-index --index-version 4', null],
  ['a split index', 'git update-index --split-index', null],
  ['a sparse index', 'git sparse-checkout set --cone --sparse-index', null],
])('%s', (_name, script, links) => {
  expect(readAfter(script)).toEqual(links)
})

test('an index that is cut short anywhere is read without a fault, and junk is no index', () => {
  const root = makeRepository(join(makeScratch(), 'r'), { a: 'a\n', b: 'b\n' })
  const index = readFileSync(join(root, '.git/index'))
  // An index that is cut between two parts still looks whole. git then finds that it is damaged.
  for (let length = 0; length < index.length; length++) {
    expect(readPlainIndex(index.subarray(0, length), 20)?.nested ?? []).toEqual([])
  }
  expect(readPlainIndex(Buffer.from('junk'.repeat(20)), 20)).toBeNull()
})

test('the tree that git has noted is the one that the index makes, and none once something is staged', () => {
  const root = makeRepository(join(makeScratch(), 'r'), { a: 'a\n', 'd/b': 'b\n' })
  const read = () => readPlainIndex(readFileSync(join(root, '.git/index')), 20)?.tree
  expect(read()).toBe(git(root, 'rev-parse', 'HEAD^{tree}'))
  shell(root, 'echo n > n; git add n')
  expect(read()).toBeNull()
  git(root, 'write-tree')
  expect(read()).toBe(git(root, 'write-tree'))
})

test('files are close to a time from the second on that is asked for, by either of their times', () => {
  const root = makeRepository(join(makeScratch(), 'r'), { 'file-a': 'a\n', 'file-b': 'b\n', 'file-c': 'c\n' })
  const index = readFileSync(join(root, '.git/index'))
  const setTimes = (path: string, [changed, written]: readonly [number, number]): void => {
    const at = index.indexOf(`${path}\0`) - 62
    for (const [place, value] of [changed, 5, written, 5].entries())
      index.writeUInt32BE(value, at + place * 4)
  }
  setTimes('file-a', [98, 98])
  setTimes('file-b', [98, 99])
  setTimes('file-c', [100, 100])
  const look = (nanoseconds: number, close_from?: number) => {
    const since = { seconds: 100, nanoseconds, ...(close_from === undefined ? {} : { close_from }) }
    const read = readPlainIndex(index, 20, since)
    return [read?.touched, read?.close.map(({ path }) => path)]
  }
  expect(look(5)).toEqual([['file-c'], []])
  expect(look(6)).toEqual([[], ['file-c']])
  expect(look(6, 99)).toEqual([[], ['file-b', 'file-c']])
  expect(look(5, 98)).toEqual([['file-c'], ['file-a', 'file-b']])
})
