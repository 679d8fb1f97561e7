import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawOf } from '../../../src/core/model/raw-bytes.ts'
import { formatTrees, nestTrees, type PathEntry } from '../../../src/core/model/tree-object.ts'

const OBJECT = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

let repository = ''
beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'trees-'))
  git(['init', '-q', '.'])
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

const git = (args: readonly string[], input: Buffer = Buffer.alloc(0)): Buffer =>
  execFileSync('git', args, { cwd: repository, input })

const mktree = (paths: readonly PathEntry[]) => {
  const trees = nestTrees(paths, 20)
  const said = git(['mktree', '-z', '--missing', '--batch'], formatTrees(trees)).toString().trim().split('\n')
  return { trees, said }
}

test('no paths make the empty tree', () => {
  const { trees, said } = mktree([])
  expect(said).toEqual(['4b825dc642cb6eb9a060e54bf8d69288fbee4904'])
  expect(trees.map(({ object }) => object)).toEqual(said)
})

test('a file sorts before or behind a directory as git has it', () => {
  const paths = ['a', 'a-b', 'a.b/c', 'a0', 'ab/c', 'b/x/y', 'b.c'].map((path) => ({
    mode: '100644',
    object: OBJECT,
    path,
  }))
  const { trees, said } = mktree(paths)
  expect(trees.map(({ object }) => object)).toEqual(said)
})

/** No path is a directory of another one. */
const somePaths = fc
  .uniqueArray(
    fc.array(fc.constantFrom('a', 'a-', 'a.', 'a0', 'ü', ' ', '\n', '"'), { minLength: 1, maxLength: 3 }),
    {
      selector: (parts) => parts.join('/'),
      maxLength: 12,
    },
  )
  .map((all) => all.map((parts) => rawOf(parts.join('/'))))
  .map((paths) => paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))))

test('every tree is called as git calls it, and lists what went in', () => {
  fc.assert(
    fc.property(somePaths, fc.constantFrom('100644', '100755', '120000', '160000'), (paths, mode) => {
      const { trees, said } = mktree(paths.map((path) => ({ mode, object: OBJECT, path })))
      expect(trees.map(({ object }) => object)).toEqual(said)
      const listed = git(['ls-tree', '-r', '-z', '--name-only', said.at(-1) ?? '']).toString('latin1')
      expect(listed.split('\0').slice(0, -1).sort()).toEqual([...paths].sort())
    }),
    { numRuns: 40 },
  )
})
