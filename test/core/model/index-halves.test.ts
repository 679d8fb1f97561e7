import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { halveIndex } from '../../../src/core/model/index-halves.ts'
import { git, makeRepository, makeScratch } from '../../support/git/repository.ts'
import { sample } from '../../support/run/sampled.ts'
import { shell } from '../../support/scene/sandbox.ts'

const OPTIONS = { objectSize: 20, occupied: '.agency' }

const manyFiles = (directory: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${directory}${n}`, 'x\n']))

const makeIndex = (files: Record<string, string>, script = 'true') => {
  const root = makeRepository(join(makeScratch(), 'r'), files)
  shell(root, script)
  return { root, index: readFileSync(join(root, '.git/index')) }
}

const list = (root: string, index: Buffer): string => {
  writeFileSync(join(root, '.git/index'), index)
  git(root, 'fsck', '--no-dangling')
  return git(root, 'ls-files', '-s', '--debug')
}

test('two halves hold each entry once, and joined they are the index again', () => {
  const { root, index } = makeIndex(manyFiles('a/b/', 1200))
  const whole = list(root, index)
  const halves = halveIndex(index, OPTIONS)
  const [one, other] = halves?.indexes.map((half) => list(root, half).split('\n')) ?? []
  expect([...(other ?? []), ...(one ?? [])].join('\n')).toBe(whole)
  expect(halves?.join(index, index)).toEqual(index)
  expect(list(root, halves?.join(index, index) ?? index)).toBe(whole)
})

test('each half of what is joined comes from the one that wrote it', () => {
  const { root, index } = makeIndex(manyFiles('a/', 1100))
  shell(root, 'git ls-files | tail -550 | xargs touch -d 2001-01-01; git update-index --refresh')
  const older = readFileSync(join(root, '.git/index'))
  const halves = halveIndex(index, OPTIONS)
  const ages = (joined: Buffer | null | undefined): string[] =>
    list(root, joined ?? index)
      .split('\n')
      .filter((line) => line.includes('mtime'))
      .map((line) => (/mtime: 97\d{7}:/.test(line) ? 'old' : 'new'))
  const mixed = ages(halves?.join(index, older))
  expect(mixed).toEqual([...Array(550).fill('new'), ...Array(550).fill('old')])
  expect(halves?.join(older, index)).toBeNull()
})

test('the directories that both halves have files in are named, outermost first', () => {
  const split = (files: Record<string, string>) => halveIndex(makeIndex(files).index, OPTIONS)?.shared
  expect(split(manyFiles('a/b/c', 1000))).toEqual(['a', 'a/b'])
  expect(split({ ...manyFiles('a/b/', 600), ...manyFiles('a/c/', 600) })).toEqual(['a'])
  expect(split({ ...manyFiles('a/b/', 600), ...manyFiles('ab/', 600) })).toEqual([])
  expect(split(manyFiles('', 1000))).toEqual([])
})

test('what is said of the work tree that an index belongs to is not handed on, and which tree it makes is', () => {
  const { index } = makeIndex(manyFiles('a/', 1000), 'git update-index --force-untracked-cache; git status')
  const halves = halveIndex(index, OPTIONS)
  expect(index.includes('UNTR')).toBe(true)
  expect(halves?.settled).toBe(true)
  expect(halves?.join(index, index)?.includes('UNTR')).toBe(false)
  expect(halves?.join(index, index)?.includes('TREE')).toBe(true)
})

sample(test).each(['../../x', '/../../x', 'x/.git/x', '.git/xxx', '/x/xxxxx'])(
  'an index with the path %s is left whole',
  (path) => {
    const name = path.padEnd(8, 'x')
    const { index } = makeIndex({ ...manyFiles('a/', 1000), 'xxx/xxxx': 'x\n' })
    index.write(name, index.indexOf('xxx/xxxx'), 'latin1')
    expect(halveIndex(index, OPTIONS)).toBeNull()
  },
)

test('indexes that have become something else are not joined', () => {
  const { index } = makeIndex(manyFiles('a/', 1000))
  const other = makeIndex({ ...manyFiles('a/', 999), 'a/x': 'other\n' }).index
  const halves = halveIndex(index, OPTIONS)
  expect(halves?.join(index, other)).toBeNull()
  expect(halves?.join(index.subarray(0, 500), index)).toBeNull()
})

sample(test).each([
  ['of few files', 'git rm -q --cached a/1'],
  ['with an entry where something lies already', 'mkdir .agency; echo > .agency/x; git add .agency/x'],
  ['with an entry that is skipped', 'git update-index --skip-worktree a/1'],
  ['of version 4', 'git update-index --index-version 4'],
  ['that is split already', 'git update-index --split-index'],
])('an index %s is left whole', (_name, script) => {
  expect(halveIndex(makeIndex(manyFiles('a/', 1000), script).index, OPTIONS)).toBeNull()
})
