import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findWorkInProgress } from '../../../../src/core/doors/git/work-in-progress.ts'
import { commitAll, git, makeRepository, makeScratch, writeFiles } from '../../../support/git/repository.ts'

/** Two branches that change the same line. */
function makeConflict(): string {
  const root = makeRepository(makeScratch(), { a: 'a\n' })
  git(root, 'switch', '-qc', 'other')
  writeFiles(root, { a: 'other\n' })
  commitAll(root, 'Other')
  git(root, 'switch', '-q', 'main')
  writeFiles(root, { a: 'main\n' })
  commitAll(root, 'Main')
  return root
}

test.each([
  ['a merge', 'git merge other'],
  ['a cherry-pick', 'git cherry-pick other'],
  ['a revert', 'git revert --no-commit HEAD'],
  ['a rebase', 'git rebase other'],
  ['a rebase', 'git rebase --apply other'],
  ['a bisect', 'git bisect start'],
  [null, 'git status'],
])('%s is told after %j', (expected, command) => {
  const root = makeConflict()
  execFileSync('sh', ['-c', `${command} || true`], { cwd: root, stdio: 'ignore' })
  expect(findWorkInProgress(join(root, '.git'))).toBe(expected)
})
