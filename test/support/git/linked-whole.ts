// What git knows of work trees is whole: nothing is half made, and nothing leads to a tree that is not there.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { git } from './repository.ts'

/** `root`: of the person's repository. */
export function expectLinkedWhole(root: string, when: string): void {
  const worktrees = join(root, '.git/worktrees')
  const names = existsSync(worktrees) ? readdirSync(worktrees) : []
  const trees = names.map((name) => dirname(readFileSync(join(worktrees, name, 'gitdir'), 'utf8').trimEnd()))
  expect(
    trees.filter((tree) => !existsSync(tree)),
    when,
  ).toEqual([])
  git(root, 'fsck', '--connectivity-only', '--no-dangling')
}
