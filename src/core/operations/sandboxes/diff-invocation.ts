// What a sandbox changed: all of it (commits, uncommitted changes and untracked files, compared with where it began),
// or one commit, or what is in no commit. git's plumbing reads it from objects, so that neither the person's
// configuration nor attributes that the agent wrote can change its form or hide any of it.

import type { Capture, ChangeRange } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { Git } from '../../doors/effects.ts'
import type { CommitLine, DiffRequest, SandboxDiff, WorkPart } from '../../model/change.ts'
import { AgencyError } from '../../model/errors.ts'
import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'
import { withDrafts } from './drafts.ts'

/** Throws E_INVOCATION_BROKEN if the sandbox is missing, E_COMMIT_NOT_FOUND if `part` is not one of its own commits. */
export async function diffInvocation(
  repository: Repository,
  record: InvocationRecord,
  request: DiffRequest,
): Promise<SandboxDiff> {
  if (request.draft !== true) return readPartDiff(repository, record, request)
  return withDrafts(repository, (drafting) => readPartDiff(drafting, record, request))
}

async function readPartDiff(
  repository: Repository,
  record: InvocationRecord,
  { patch = false, part, ignore_whitespace = false }: DiffRequest,
): Promise<SandboxDiff> {
  const { store } = repository.git
  const base = record.base_commit
  const changeset = openChangeset(repository, record)
  const capture = await changeset.capture()
  const { head, state_tree, dirty, incomplete } = capture
  const commits = await readCommitLines(store, base, head)
  const ends =
    part === undefined ? { from: base, to: state_tree } : await endsOf(part, { store, capture, commits })
  const range = { ...ends, ignore_whitespace }
  const [files, bytes] = await Promise.all([
    changeset.changes(range, capture),
    patch ? readPatch(store, range) : new Uint8Array(),
  ])
  return {
    part: part ?? null,
    ignore_whitespace,
    base,
    head,
    state_tree,
    commits,
    files,
    dirty,
    incomplete,
    patch: bytes,
  }
}

interface CapturedWork {
  readonly store: Git
  readonly capture: Capture
  readonly commits: readonly CommitLine[]
}

async function endsOf(
  part: WorkPart,
  { store, capture, commits }: CapturedWork,
): Promise<Pick<ChangeRange, 'from' | 'to'>> {
  if (part === 'uncommitted') return { from: capture.head, to: capture.state_tree }
  if (!commits.some(({ commit }) => commit === part)) {
    throw new AgencyError('E_COMMIT_NOT_FOUND', `${part.slice(0, 12)} is no commit of this sandbox`)
  }
  const parents = await store.text(['rev-list', '--no-walk', '--no-commit-header', '--format=%P', part])
  const [first = ''] = parents.split(' ')
  return { from: first === '' ? await writeEmptyTree(store) : parseObjectId(first), to: part }
}

/** A commit without parents is compared with this. */
const writeEmptyTree = (store: Git): Promise<ObjectId> => store.object(['mktree'])

const LINE = '--format=%H%x00%an%x00%aI%x00%s'

export async function readCommitLines(store: Git, base: ObjectId, head: ObjectId): Promise<CommitLine[]> {
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

/** Settings that git's plumbing still reads, set here so that nobody else can. */
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

export async function readPatch(
  store: Git,
  { from, to, ignore_whitespace }: ChangeRange,
): Promise<Uint8Array> {
  const spaces = ignore_whitespace ? ['--ignore-all-space'] : []
  return (await store.run([...PATCH, ...spaces, from, to])).stdout
}
