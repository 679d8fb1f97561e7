// Edits as an agent might make them, as data. fast-check makes up sequences of them, and prints one that fails.

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { lstatIfThere } from '../../../src/core/doors/system/files.ts'

/** Raw paths: the last one is not UTF-8. */
const PATHS = [
  'a',
  'b',
  'd/a',
  'd/b',
  'd/e/f',
  'src/x.ts',
  'new.txt',
  'sp ace/f',
  '-rf',
  'n\nl',
  '"q"\ttab',
  ':(top)',
  '*',
  'Case',
  'case',
  'tmp.log',
  'build/o',
  'deep/1/2/3',
  'caf\xe9',
]
const DIRECTORIES = ['d', 'src', 'deep', 'sp ace', 'build']
const IGNORES = ['*.log\nbuild/\n', '*.log\nnew.txt\n', 'd/\n', '', 'src/\n*.txt\n']

/** Commands that the agent gives to git. */
const COMMANDS = [
  ['add', '-A'],
  ['add', '-N', '.'],
  ['add', '-f', 'tmp.log', 'build'],
  ['commit', '-q', '--allow-empty', '-am', 'work'],
  ['rm', '-q', '-r', '--cached', '--ignore-unmatch', 'd'],
  ['reset', '-q'],
  ['checkout', '-q', '--detach'],
  ['checkout', '-q', '-f', '-B', 'elsewhere'],
  ['stash', '-q', '-u'],
  ['mv', '-f', 'a', 'b'],
]

export type Edit =
  | { readonly kind: 'file'; readonly path: string; readonly deed: Deed; readonly text: string }
  | { readonly kind: 'git'; readonly args: readonly string[] }

type Deed = 'write' | 'link' | 'delete' | 'directory' | 'executable' | 'plain'

const path = fc.constantFrom(...PATHS)
const text = fc.constantFrom(
  '',
  'one\n',
  'two\n',
  'no newline',
  'a\r\nb\r\n',
  '\x00binary\xff',
  'd',
  '/nonexistent',
  '../x',
)

const file = (
  deed: fc.Arbitrary<Deed>,
  at: fc.Arbitrary<string> = path,
  content: fc.Arbitrary<string> = text,
): fc.Arbitrary<Edit> => fc.record({ kind: fc.constant('file' as const), path: at, deed, text: content })

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: file(fc.constant('write')) },
    { weight: 4, arbitrary: file(fc.constantFrom('link', 'delete', 'directory', 'executable', 'plain')) },
    {
      weight: 2,
      arbitrary: file(fc.constantFrom('write', 'link', 'delete'), fc.constantFrom(...DIRECTORIES)),
    },
    {
      weight: 1,
      arbitrary: file(fc.constant('write'), fc.constant('.gitignore'), fc.constantFrom(...IGNORES)),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('git' as const), args: fc.constantFrom(...COMMANDS) }),
    },
  ),
  { minLength: 1, maxLength: 12 },
)

export function applyEdit(tree: string, edit: Edit): void {
  if (edit.kind === 'git') runGit(tree, edit.args)
  else applyDeed(tree, edit)
}

function applyDeed(tree: string, { path, deed, text }: Extract<Edit, { kind: 'file' }>): void {
  const full = at(tree, path)
  const stat = lstatIfThere(full)
  if (deed === 'executable' || deed === 'plain') {
    if (stat?.isFile()) chmodSync(full, deed === 'executable' ? 0o755 : 0o644)
    return
  }
  if (stat !== null) removeAny(full, stat.isDirectory())
  if (deed === 'delete') return
  makeParents(tree, path)
  if (deed === 'directory') mkdirSync(full)
  else if (deed === 'link') symlinkSync(Buffer.from(linkTarget(text), 'latin1'), full)
  else writeFileSync(full, text, 'latin1')
}

const linkTarget = (text: string): string => text.replace(/\0/g, '') || 'a'

/** If git refuses the command in the tree's present state, it counts as not given. */
function runGit(cwd: string, args: readonly string[]): void {
  try {
    execFileSync('git', args, { cwd, stdio: 'ignore' })
  } catch {
    return
  }
}

/** Deletes whatever is where a directory is needed. */
function makeParents(tree: string, raw: string): void {
  const parts = raw.split('/').slice(0, -1)
  for (let depth = 1; depth <= parts.length; depth++) {
    const full = at(tree, parts.slice(0, depth).join('/'))
    const stat = lstatIfThere(full)
    if (stat !== null && !stat.isDirectory()) unlinkSync(full)
    mkdirSync(full, { recursive: true })
  }
}

function removeAny(full: Buffer, directory: boolean): void {
  if (directory) rmSync(full, { recursive: true })
  else unlinkSync(full)
}

const at = (tree: string, raw: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(raw, 'latin1')])
