// Takes one checkpoint after the other of the same sandbox, and remembers what it saw: with the paths that changed since
// in hand the next one costs the same in a tree of any size. Now and then the whole tree is looked at, and that counts.

import type { Capture } from '../../changesets/changeset.ts'
import {
  type Before,
  captureByPaths,
  type PathChanges,
} from '../../changesets/worktree/capture/capture-by-paths.ts'
import { findOuterRules, type OuterRules } from '../../changesets/worktree/capture/outer-rules.ts'
import type { DescribedState } from '../../changesets/worktree/keep/keep-capture.ts'
import { type DescribeDiff, diffPaths, withDiffstat } from '../../doors/git/compare-trees.ts'
import { type Imported, type Importer, withImporter } from '../../doors/git/importer.ts'
import { type GitStamp, readGitStamp, readIndexTree } from '../../doors/git/index-stamp.ts'
import { storesPlainly } from '../../doors/git/stores-plainly.ts'
import { type Checkpoint, snapshotRef } from '../../model/checkpoint.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { formatKeptState } from '../../model/kept-state.ts'
import { showRaw } from '../../model/raw-bytes.ts'
import type { Repository } from '../../store/repository.ts'
import { inSandboxTurn } from '../sandboxes/sandbox-turn.ts'
import {
  type CheckpointRequest,
  checkpointSubject,
  type Last,
  leaveOutOf,
  readLast,
  recordCheckpoint,
  refuseSecrets,
  type Scanned,
  takeByScan,
} from './take-checkpoint.ts'

export interface TakeRequest extends CheckpointRequest {
  /** All that changed since the last call, from the tree's root; null where that is not known. */
  readonly paths: ReadonlySet<string> | null
}

export interface Taken {
  /** null: nothing has changed. */
  readonly checkpoint: Checkpoint | null
  readonly by: 'paths' | 'scan'
  /** By scan: what differs from the last call, as shown; null where HEAD, the index or the rules changed as well. */
  readonly differing: () => Promise<readonly string[] | null>
}

export interface Checkpointer {
  /** Throws what takeCheckpoint throws; the next call looks at the whole tree then. */
  take(request: TakeRequest): Promise<Taken>
}

/** What was seen at the last call. */
interface Footing {
  readonly stamp: GitStamp
  readonly capture: Capture
  readonly before: Before
  /** The index was found to be an ordinary one. */
  readonly ordinary: boolean
  readonly described: DescribedState
  readonly outer: OuterRules
}

export function openCheckpointer(repository: Repository, record: InvocationRecord): Checkpointer {
  let footing: Footing | null = null
  let plainly: boolean | null = null
  let outer: OuterRules | null = null
  const takeOne = async (request: TakeRequest): Promise<Taken> => {
    const from = footing
    footing = null
    const paced = from === null ? null : await stand({ repository, record, request }, from).catch(fallBack)
    if (paced !== null) {
      footing = paced.footing
      return { checkpoint: paced.checkpoint, by: 'paths', differing: async () => [] }
    }
    const git = repository.git.tree(whereOf(record))
    outer ??= await findOuterRules(git, record.sandbox_path, repository.git.commonDir)
    const stamp = readGitStamp(whereOf(record), repository.git.commonDir, outer.ignoring)
    const scanned = await takeByScan(repository, record, request)
    plainly ??= await storesPlainly(git)
    const to = plainly ? findFooting({ record, stamp, outer }, scanned) : null
    footing = to
    return { checkpoint: scanned.checkpoint, by: 'scan', differing: () => compare(repository, from, to) }
  }
  return { take: (request) => inSandboxTurn(repository, record, () => takeOne(request)) }
}

/** What git could not do by paths it may do by a look at the whole tree: files come and go. */
function fallBack(error: unknown): null {
  if (error instanceof AgencyError && error.code === 'E_GIT_FAILED') return null
  throw error
}

const whereOf = ({ sandbox_path, git_dir }: InvocationRecord) => ({ tree_path: sandbox_path, git_dir })

interface Step {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly request: TakeRequest
}

interface Paced {
  readonly checkpoint: Checkpoint | null
  readonly footing: Footing
}

/** null: the whole tree must be looked at. */
async function stand(step: Step, from: Footing): Promise<Paced | null> {
  const { repository, record, request } = step
  const last = readLast(repository, record)
  const stamp = confirmStamp(step, from)
  const onTop =
    last.checkpoint?.tree === from.before.state_tree && last.checkpoint.head_sha === from.before.head
  if (stamp === null || !onTop || request.paths === null) return null
  if (request.reason === 'asked' || request.reason === 'restore') return null
  const { paths } = request
  return withImporter(repository.git.store, (importer) =>
    pace(step, { last, paths, from: { ...from, stamp }, importer }),
  )
}

interface Pacing {
  readonly last: Last
  readonly paths: ReadonlySet<string>
  readonly from: Footing
  readonly importer: Importer
}

async function pace(step: Step, { last, paths, from, importer }: Pacing): Promise<Paced | null> {
  const { repository, record, request } = step
  const changes = await captureByPaths({
    git: repository.git,
    where: whereOf(record),
    scratchDir: repository.paths.invocation(record.invocation_id).sandboxDir,
    paths,
    before: from.before,
    outer: from.outer,
    leaveOut: leaveOutOf(record, request.settings),
    importer,
  })
  if (changes === null) return null
  refuseSecrets(changes, request.settings)
  const { excluded } = changes
  const settled: Footing = { ...from, before: { ...from.before, excluded } }
  if (changes.files.length + changes.deleted.length === 0) return { checkpoint: null, footing: settled }
  return importChanges(step, { last, changes, from: settled, importer })
}

/** HEAD, index and rules are as they were; null where they are not, or where that cannot be told cheaply. */
function confirmStamp(
  { repository, record }: Step,
  { stamp, before, ordinary, outer }: Footing,
): GitStamp | null {
  if (!ordinary) return null
  const now = readGitStamp(whereOf(record), repository.git.commonDir, outer.ignoring)
  if (now.head !== stamp.head || now.refs !== stamp.refs || now.rules !== stamp.rules) return null
  if (now.index === stamp.index) return now
  return readIndexTree(whereOf(record), before.head.length / 2) === before.staged_tree ? now : null
}

interface Importing {
  readonly last: Last
  readonly changes: PathChanges
  readonly from: Footing
  readonly importer: Pick<Importer, 'commit'>
}

async function importChanges(step: Step, importing: Importing): Promise<Paced | null> {
  const { repository, record } = step
  const { last, changes, from, importer } = importing
  const at = repository.effects.clock.now()
  const id = last.next_id
  const ref = snapshotRef(record.invocation_id, id)
  if (last.checkpoint === null) return null
  const { excluded } = changes
  const { parents, state } = from.described
  repository.effects.onStep('keep the checkpoint')
  const writing = importer.commit({
    ref,
    parents: [last.checkpoint.snapshot_commit, ...parents],
    message: formatKeptState(checkpointSubject(record, id), { ...state, excluded: [...excluded] }),
    at,
    ...changes,
  })
  return withDiffstat(repository.git.store, async (describe) => {
    const imported = await writing
    // A ref of that number, left by a kill, is in the way.
    return imported && recordImported(step, { ...importing, imported, id, ref, at, describe })
  })
}

interface Importation extends Importing {
  readonly imported: Imported
  readonly id: number
  readonly ref: string
  readonly at: Date
  readonly describe: DescribeDiff
}

async function recordImported({ repository, record, request }: Step, made: Importation): Promise<Paced> {
  const { last, changes, from, imported, id, ref, at, describe } = made
  const { commit, tree } = imported
  const footing: Footing = { ...from, before: { ...from.before, state_tree: tree } }
  if (tree === from.before.state_tree) {
    await repository.git.store.run(['update-ref', '--no-deref', '-d', ref, commit])
    return { checkpoint: null, footing }
  }
  const { excluded } = changes
  const { head } = from.before
  const { incomplete } = from.capture
  const kept = { id, ref, commit, at, head_sha: head, state_tree: tree, staged: null, excluded, incomplete }
  const checkpoint = await recordCheckpoint(repository, record, { last, request, made: kept, describe })
  return { checkpoint, footing }
}

/** null where the paths alone can never tell. */
function findFooting(
  { record, stamp, outer }: Pick<Footing, 'stamp' | 'outer'> & Pick<Step, 'record'>,
  { capture, described }: Scanned,
): Footing | null {
  if (capture.unborn || stamp.head === null) return null
  const { head, head_tree, state_tree, excluded, incomplete } = capture
  const staged_tree = capture.index_tree ?? head_tree
  const ordinary = readIndexTree(whereOf(record), head.length / 2) !== undefined
  const before = { said_head: stamp.head, head, head_tree, staged_tree, state_tree, excluded, incomplete }
  return { stamp, capture, before, ordinary, described, outer }
}

async function compare(
  { git }: Repository,
  from: Footing | null,
  to: Footing | null,
): Promise<string[] | null> {
  if (from === null || to === null) return null
  const [a, b] = [from.before, to.before]
  const moved = a.head !== b.head || a.staged_tree !== b.staged_tree || from.stamp.rules !== to.stamp.rules
  if (moved || !from.ordinary || !to.ordinary) return null
  if (a.state_tree === b.state_tree) return []
  return (await diffPaths(git.store, a.state_tree, b.state_tree)).changes.map(({ path }) => showRaw(path))
}
