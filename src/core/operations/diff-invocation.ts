// What a sandbox changed, whole: its commits, what it did not commit, and its untracked files, against where it began.
// Read from objects by git's plumbing, so that neither the person's configuration nor attributes that the agent wrote
// change the form of it or hide any of it.

import type { Git } from '../effects/effects.ts'
import { openChangeset } from '../effects/worktree-changeset.ts'
import type { CommitLine, SandboxDiff } from '../model/change.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Repository } from '../store/repository.ts'

/** Commits come newest first. Throws E_INVOCATION_BROKEN where the sandbox is missing. */
export async function diffInvocation(
  repository: Repository,
  record: InvocationRecord,
  { patch }: { readonly patch: boolean },
): Promise<SandboxDiff> {
  const { store } = repository.git
  const base = record.base_commit
  const changeset = openChangeset(repository, record)
  const capture = await changeset.capture()
  const { head, state_tree, dirty, incomplete } = capture
  const [commits, files, bytes] = await Promise.all([
    readCommits(store, base, head),
    changeset.changes(base, capture),
    patch ? readPatch(store, base, state_tree) : new Uint8Array(),
  ])
  return { base, head, state_tree, commits, files, dirty, incomplete, patch: bytes }
}

const LINE = '--format=%H%x00%an%x00%aI%x00%s'

export async function readCommits(store: Git, base: ObjectId, head: ObjectId): Promise<CommitLine[]> {
  const args = ['rev-list', '--topo-order', '--no-commit-header', '--encoding=UTF-8', LINE, head, `^${base}`]
  const lines = await store.text(args)
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', author = '', authored_at = '', subject = ''] = line.split('\0')
      return { commit: parseObjectId(commit), author, authored_at, subject }
    })
}

/** Each setting that git's plumbing still reads, said here. */
const PATCH = [
  '-c',
  'diff.suppressBlankEmpty=false',
  '-c',
  'diff.indentHeuristic=true',
  '-c',
  'diff.noprefix=false',
  '-c',
  'diff.mnemonicPrefix=false',
  'diff-tree',
  '-r',
  '-p',
  '--binary',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--abbrev=10',
  '--no-relative',
  '-M',
  '--unified=3',
  '--inter-hunk-context=0',
  '--diff-algorithm=histogram',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '--ignore-submodules=none',
] as const

export const readPatch = async (store: Git, base: ObjectId, state: ObjectId): Promise<Uint8Array> =>
  (await store.run([...PATCH, base, state])).stdout
