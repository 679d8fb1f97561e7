// Finds the work trees that are on a branch by reading the files in which git notes it. Where git keeps its refs in
// tables (reftable), git itself is asked.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryGit } from '../effects.ts'
import { listNames, readTextIfRegular } from '../system/files.ts'
import { linkedTreeOf } from './linked-worktrees.ts'
import { readHeadFile } from './read-head.ts'

interface Checkouts {
  readonly git: RepositoryGit
  /** The person's own work tree. */
  readonly record: { readonly root: string }
}

/** Their paths. `ref` is refs/heads/… */
export async function findCheckouts(repository: Checkouts, ref: string): Promise<string[]> {
  const { git, record } = repository
  const { commonDir } = git
  if (existsSync(join(commonDir, 'reftable'))) return askForCheckouts(repository, ref)
  const linked = listNames(join(commonDir, 'worktrees')).map((name) => join(commonDir, 'worktrees', name))
  const paths = linked
    .filter((dir) => branchOf(commonDir, dir) === ref)
    .flatMap((dir) => linkedTreeOf(dir) ?? [])
  return branchOf(commonDir, commonDir) === ref ? [record.root, ...paths] : paths
}

/** git follows no more than this many. */
const DEEPEST = 5

/** The branch of a work tree, followed through branches that are symbolic refs to another one. */
function branchOf(commonDir: string, gitDir: string): string | null {
  let said = readHeadFile(gitDir)
  for (let depth = 0; said?.startsWith('ref: ') === true && depth <= DEEPEST; depth++) {
    const ref = said.slice('ref: '.length)
    const next = readTextIfRegular(join(commonDir, ref))?.trimEnd()
    if (next?.startsWith('ref: ') !== true) return ref
    said = next
  }
  return null
}

async function askForCheckouts({ git }: Checkouts, ref: string): Promise<string[]> {
  const { stdout } = await git.real.run(['worktree', 'list', '--porcelain', '-z'])
  return stdout
    .toString('utf8')
    .split('\0\0')
    .map((block) => block.split('\0'))
    .filter((lines) => lines.includes(`branch ${ref}`))
    .flatMap((lines) => lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? [])
}
