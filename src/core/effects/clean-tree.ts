// Proves quickly that a work tree holds nothing beside its HEAD, which most sandboxes do not once their agent has
// committed: three looks at once instead of hashing everything into a new index. Whatever is not proved is looked at
// in full by capture-tree.ts. Nothing is written; the agent's index is read as it lies there.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectId } from '../model/ids.ts'
import { isPlainIndexOf } from '../model/index-file.ts'
import { rawFields, rawInput } from '../model/raw-bytes.ts'
import { MARKER_DIR } from '../store/paths.ts'
import type { Git, RepositoryGit, TreeLocation } from './effects.ts'
import { lstatIfThere } from './files.ts'

export interface CleanTree {
  /** There are ignored files. */
  readonly has_ignored: boolean
}

/** null where it is not proved. Pipes and sockets are not looked for: they hold nothing that could be lost. */
export async function proveClean(
  { tree }: RepositoryGit,
  where: TreeLocation,
  headTree: ObjectId,
): Promise<CleanTree | null> {
  if (lstatIfThere(join(where.tree_path, '.git'))?.isFile() !== true) return null
  if (!isPlainIndexOf(readIndex(where.git_dir), headTree)) return null
  const git = tree(where)
  const [unchanged, untracked] = await Promise.all([isUnchanged(git), listUntracked(git)])
  if (!unchanged || untracked === null) return null
  const others = untracked.filter((path) => path !== `${MARKER_DIR}/`)
  if (others.length === 0) return { has_ignored: false }
  return (await areIgnored(git, others)) ? { has_ignored: true } : null
}

function readIndex(gitDir: string): Buffer {
  try {
    return readFileSync(join(gitDir, 'index'))
  } catch {
    return Buffer.alloc(0)
  }
}

/** Compares stamps of time and size first and bytes where these leave a doubt. */
async function isUnchanged(git: Git): Promise<boolean> {
  const looked = await git.run(['diff-files', '--quiet', '--ignore-submodules=all'], { answers: [1, 128] })
  return looked.exitCode === 0 && looked.stderr === ''
}

/** Raw; directories without anything tracked as one, with a slash. null where git could not look everywhere. */
async function listUntracked(git: Git): Promise<string[] | null> {
  const listed = await git.run(['ls-files', '-o', '--directory', '-z'], { answers: [128] })
  return listed.exitCode === 0 && listed.stderr === '' ? rawFields(listed.stdout) : null
}

/** All of them, so that nothing below them can be anything else. */
async function areIgnored(git: Git, paths: readonly string[]): Promise<boolean> {
  return (await selectIgnored(git, paths))?.size === paths.length
}

/** Which of these raw paths are ignored; null where git could not say. */
export async function selectIgnored(git: Git, paths: readonly string[]): Promise<ReadonlySet<string> | null> {
  // git refuses to take these literally; behind `./` a name that begins with a colon means itself all the same.
  const input = rawInput(paths.map((path) => `./${path}`))
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin']
  const asked = await git.run(args, { input, answers: [1, 128] })
  if (asked.exitCode === 128) return null
  return new Set(rawFields(asked.stdout).map((path) => path.slice(2)))
}
