import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Capture } from '../../../../src/core/changesets/changeset.ts'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import type { ObjectId } from '../../../../src/core/model/ids.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { restoreSandbox } from '../../../../src/core/operations/sandboxes/restore-sandbox.ts'
import { writeInvocation } from '../../../../src/core/store/invocations.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { applyEdit, edits } from '../../../support/git/random-edits.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { sweptRounds } from '../../../support/kills/sweep-steps.ts'
import { makeSandbox, makeScene, shell } from '../../../support/scene/sandbox.ts'

const REF = 'refs/agency/trash/test'

const ask = (tree: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: tree, encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] })

const listIgnored = ({ sandbox_path }: InvocationRecord): ReadonlySet<string> =>
  new Set(ask(showPath(sandbox_path), 'ls-files', '-o', '-i', '--exclude-standard', '-z').split('\0'))

/** Everything about a sandbox that must come back: all but what was ignored. */
function describe(record: InvocationRecord, ignored: ReadonlySet<string>): unknown {
  const tree = showPath(record.sandbox_path)
  return {
    files: treeManifest(tree, ignored),
    // Entries that only announce a file are in no tree, so they come back as untracked files, or as ignored ones.
    index: ask(tree, 'write-tree'),
    head: readHead(tree),
    branch: git(tree, 'rev-parse', record.sandbox_branch),
  }
}

/** The tree that git itself makes of the files, with an index of its own. */
function addPlainly({ sandbox_path, git_dir }: InvocationRecord): string {
  const index = join(showPath(git_dir), 'plain')
  return shell(
    showPath(sandbox_path),
    `cp -p "${git_dir}/index" "${index}"; export GIT_INDEX_FILE="${index}"; git add -A; git write-tree; rm "${index}"`,
  ).trim()
}

const readHead = (tree: string): string => shell(tree, 'git symbolic-ref -q HEAD || true; git rev-parse HEAD')

async function removeAndRestore(
  repository: Repository,
  record: InvocationRecord,
  wholeAt: number | null = Date.now(),
): Promise<{ record: InvocationRecord; notes: readonly string[]; capture: Capture; commit: ObjectId }> {
  const changeset = openChangeset(repository, record)
  const capture = await changeset.capture()
  const commit = await changeset.keep(REF, capture)
  await changeset.remove(wholeAt)
  expect(existsSync(showPath(record.sandbox_path))).toBe(false)
  git(repository.record.root, 'branch', '-q', '-D', record.sandbox_branch)
  const restored = await restoreSandbox(repository, record, commit)
  const now = { ...record, git_dir: restored.git_dir }
  await writeInvocation(repository.paths, now)
  return { record: now, notes: restored.notes, capture, commit }
}

test('whatever an agent did comes back by content, mode, link, index and HEAD', async () => {
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
    fc.asyncProperty(edits, async (script) => {
      const record = await makeSandbox(repository, worktree)
      for (const edit of script) applyEdit(showPath(record.sandbox_path), edit)
      const ignored = listIgnored(record)
      const before = describe(record, ignored)
      const plain = addPlainly(record)
      const { record: after, notes, capture } = await removeAndRestore(repository, record)
      expect(capture.state_tree).toBe(plain)
      expect(notes).toEqual([])
      expect(describe(after, ignored)).toEqual(before)
      await openChangeset(repository, after).remove(Date.now())
    }),
    { numRuns: sweptRounds(60) },
  )
})
