// Makes real git repositories for tests, in a directory that is deleted afterwards.

import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeWhole } from '../run/remove-whole.ts'

/** A directory of this test's own. Its path has no links in it, and holds a space. */
export function makeScratch(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'agency test-')))
  onTestFinished(() => removeWhole(path))
  return path
}

/** Runs git as a person would, without our protection. Returns standard output without the last newline. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(
    /\n$/,
    '',
  )
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** Written, because two fewer processes per test are felt; without git's own housekeeping, which each commit would start. */
const PERSON = `[user]
\tname = Person
\temail = person@example.com
[maintenance]
\tauto = false
`

/** By what is in them: repositories that others are copies of, because a copy is made sooner than by four processes. */
const models = new Map<string, string>()
const MODELS = mkdtempSync(join(tmpdir(), 'agency-models-'))
process.once('exit', () => rmSync(MODELS, { recursive: true, force: true }))

/** A repository on `main` with one commit of `files` by 'Person <person@example.com>'. */
export function makeRepository(
  root: string,
  files: Readonly<Record<string, string>> = { 'README.md': 'Hello\n' },
): string {
  const what = JSON.stringify(files)
  const model = models.get(what) ?? makeModel(join(MODELS, String(models.size)), files)
  models.set(what, model)
  cpSync(model, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  git(root, 'update-index', '-q', '--refresh')
  return root
}

function makeModel(root: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(root)
  git(root, 'init', '-q', '-b', 'main')
  appendFileSync(join(root, '.git', 'config'), PERSON)
  writeFiles(root, files)
  commitAll(root, 'Start')
  return root
}

export function commitAll(root: string, message: string): string {
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', message)
  return git(root, 'rev-parse', 'HEAD')
}
