// A restore brings back the moment, whatever was done before and after it. Its undo brings back the moment before it.

import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { applyEdit, edits } from '../../../support/git/random-edits.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { SETTINGS, takeNow } from '../../../support/scene/checkpoints.ts'
import { makeSandbox, makeScene, shell } from '../../../support/scene/sandbox.ts'

const ask = (tree: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: tree, encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] })

const ignoredIn = (tree: string): Set<string> =>
  new Set(ask(tree, 'ls-files', '-o', '-i', '--exclude-standard', '-z').split('\0'))

/**
 * Everything that a restore brings back. An index with conflicts cannot be written as a tree, so it comes back as
 * HEAD's. Entries that only announce a file are in no tree, so such a file may be ignored afterwards. That is why the
 * paths of `known` are looked at even if they are ignored.
 */
function pictureOf(
  { sandbox_path: tree, sandbox_branch }: InvocationRecord,
  known: Readonly<Record<string, string>> = {},
) {
  const ignored = [...ignoredIn(showPath(tree))].filter((path) => !(path in known))
  return {
    files: treeManifest(showPath(tree), new Set(ignored)),
    index: ask(showPath(tree), 'write-tree'),
    head: git(showPath(tree), 'rev-parse', 'HEAD'),
    branch: shell(showPath(tree), `git rev-parse -q --verify refs/heads/${sandbox_branch} || true`),
  }
}

/** Ignored files must not be touched, unless the moment has something else in their place. Then they are set aside. */
function expectUntouched(
  before: Record<string, string>,
  after: Record<string, string>,
  moment: Record<string, string>,
): void {
  const taken = (path: string): boolean =>
    Object.keys(moment).some(
      (one) => one === path || path.startsWith(`${one}/`) || one.startsWith(`${path}/`),
    )
  for (const path of Object.keys(before)) {
    if (!taken(path)) expect(after[path], `ignored ${path}`).toBe(before[path])
  }
}

const ignoredFiles = (tree: string): Record<string, string> => {
  const ignored = ignoredIn(tree)
  return Object.fromEntries(Object.entries(treeManifest(tree)).filter(([path]) => ignored.has(path)))
}

const SEED = Number(process.env['SEED'] ?? 20260128)
/** RUNS=200 takes minutes. */
const RUNS = Number(process.env['RUNS'] ?? sweptRounds(25))

test(
  `after ${RUNS} random sequences of edits (seed ${SEED}) the sandbox is as it was, and undo goes back`,
  async () => {
    const { repository, worktree } = await makeScene({
      a: 'a\n',
      b: 'b\n',
      case: 'k\n',
      'd/a': 'da\n',
      'd/b': 'db\n',
      'src/x.ts': 'x\n',
      '.gitignore': '*.log\nbuild/\n',
    })
    await fc.assert(
      fc.asyncProperty(edits, edits, async (first, then) => {
        const record = await makeSandbox(repository, worktree)
        const tree = record.sandbox_path
        for (const edit of first) applyEdit(showPath(tree), edit)
        const moment = pictureOf(record)
        const checkpoint = await takeNow(repository, record)
        for (const edit of then) applyEdit(showPath(tree), edit)
        const later = pictureOf(record)
        const ignored = ignoredFiles(showPath(tree))
        await restoreCheckpoint(repository, record, { checkpoint: checkpoint.id, settings: SETTINGS })
        const restored = pictureOf(record, moment.files)
        // Files that were ignored are left alone, whether or not the moment ignores them.
        for (const path of Object.keys(ignored)) if (!(path in moment.files)) delete restored.files[path]
        expect(restored).toEqual(moment)
        expectUntouched(ignored, treeManifest(showPath(tree)), moment.files)
        expect(git(showPath(tree), 'fsck', '--connectivity-only', '--no-dangling')).toBe('')
        await undoLast(repository)
        expect(pictureOf(record, later.files)).toEqual(later)
        const still = Object.entries(ignoredFiles(showPath(tree))).filter(([path]) => !(path in later.files))
        expect(Object.fromEntries(still)).toEqual(ignored)
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env['SHRINK'] === undefined },
    )
  },
  180_000 + RUNS * 5_000,
)
