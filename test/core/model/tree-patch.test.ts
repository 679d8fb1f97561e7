import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRawDiff, type RawChange } from '../../../src/core/model/raw-diff.ts'
import { fitsPatch, formatTreePatch } from '../../../src/core/model/tree-patch.ts'
import { commitAll, git, makeRepository, makeScratch } from '../../support/git/repository.ts'
import { shell } from '../../support/scene/sandbox.ts'

const NAMES = [
  'plain',
  'a "b" c',
  ' lead',
  'trail ',
  'new\nline',
  'tab\t',
  'é',
  'b/in',
  '\\',
  '-x',
  "'",
  '日本',
  '\x7f',
]
const KINDS = ['none', 'one', 'two', 'empty', 'executable', 'link', 'binary'] as const
type State = readonly (typeof KINDS)[number][]

function put(root: string, state: State): void {
  state.forEach((kind, at) => {
    const path = join(root, at % 2 === 0 ? '.' : 'below', NAMES[at]?.replace('/', '-') ?? '')
    rmSync(path, { force: true })
    if (kind === 'link') symlinkSync('one', path)
    else if (kind === 'binary') writeFileSync(path, Buffer.from([0, 255, at, 10]))
    else if (kind !== 'none') writeFileSync(path, kind === 'empty' ? '' : `${kind}\n`)
    if (kind === 'executable') chmodSync(path, 0o755)
  })
}

function changesBetween(root: string, from: string, to: string): readonly RawChange[] {
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '-z', from, to]
  return parseRawDiff(Buffer.from(git(root, '-c', 'core.quotePath=false', ...args))).changes
}

test('what git applies is the tree that was meant, in files and index, whatever the names', () => {
  const state = fc.array(fc.constantFrom(...KINDS), { minLength: NAMES.length, maxLength: NAMES.length })
  fc.assert(
    fc.property(state, state, (before, after) => {
      const root = makeRepository(join(makeScratch(), 'r'), { 'below/stays': 'x\n' })
      put(root, before)
      const from = commitAll(root, 'Before')
      put(root, after)
      const to = commitAll(root, 'After')
      git(root, 'reset', '-q', '--hard', from)
      const changes = changesBetween(root, from, to)
      if (!fitsPatch(changes) || changes.length === 0) return
      writeFileSync(join(root, '.git/patch'), formatTreePatch(changes))
      git(root, 'apply', '--index', '.git/patch')
      expect(git(root, 'write-tree')).toBe(git(root, 'rev-parse', `${to}^{tree}`))
      expect(git(root, 'ls-files', '--others')).toBe('')
      expect(git(root, 'diff-files')).toBe('')
    }),
    { numRuns: 8 },
  )
})

test.each([
  ['a file that becomes a link', 'rm a; ln -s b a'],
  ['a file that becomes a directory', 'rm a; mkdir a; echo x > a/x'],
  ['a directory that becomes a file', 'rm -r d; echo x > d'],
  ['attributes', 'echo "* text" > d/.gitattributes'],
  ['a nested repository', 'git init -q sub; git -C sub commit -q --allow-empty -m x'],
  ['very many files', 'for n in $(seq 501); do echo $n > f$n; done'],
])('a patch is not trusted with %s', (_, script) => {
  const root = makeRepository(join(makeScratch(), 'r'), { a: 'a\n', 'd/b': 'b\n' })
  const from = git(root, 'rev-parse', 'HEAD')
  shell(root, `${script}; git add -A .; git commit -qm x`)
  expect(fitsPatch(changesBetween(root, from, 'HEAD'))).toBe(false)
})
