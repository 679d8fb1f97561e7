// Takes one checkpoint after the other of the same sandbox, and remembers what it saw: with the paths that changed since
// in hand the next one costs the same in a tree of any size. Now and then the whole tree is looked at, and that counts.

import { type Before, captureByPaths, LOOSE, type PathChanges } from '../effects/capture-by-paths.ts'
import type { Capture } from '../effects/changeset.ts'
import { diffPaths } from '../effects/compare-trees.ts'
import { type GitStamp, readGitStamp, readIndexTree } from '../effects/index-stamp.ts'
import type { DescribedState } from '../effects/keep-capture.ts'
import { storesPlainly } from '../effects/stores-plainly.ts'
import { type Checkpoint, snapshotRef } from '../model/checkpoint.ts'
import { AgencyError } from '../model/errors.ts'
import { type ObjectId, parseObjectId } from '../model/ids.ts'
import { formatImport } from '../model/import-stream.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { formatKeptState } from '../model/kept-state.ts'
import { showRaw } from '../model/raw-bytes.ts'
import type { Repository } from '../store/repository.ts'
import { inSandboxTurn } from './sandbox-turn.ts'
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
}

export function openCheckpointer(repository: Repository, record: InvocationRecord): Checkpointer {
  let footing: Footing | null = null
  let plainly: boolean | null = null
  const takeOne = async (request: TakeRequest): Promise<Taken> => {
    const from = footing
    footing = null
    const paced = from === null ? null : await stand({ repository, record, request }, from).catch(fallBack)
    if (paced !== null) {
      footing = paced.footing
      return { checkpoint: paced.checkpoint, by: 'paths', differing: async () => [] }
    }
    const stamp = readGitStamp(whereOf(record), repository.git.commonDir)
    const scanned = await takeByScan(repository, record, request)
    plainly ??= await storesPlainly(repository.git.tree(whereOf(record)))
    const to = plainly ? findFooting(record, stamp, scanned) : null
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
  const { git, paths } = repository
  const changes = await captureByPaths({
    git,
    where: whereOf(record),
    scratchDir: paths.invocation(record.invocation_id).sandboxDir,
    paths: request.paths,
    before: from.before,
    leaveOut: leaveOutOf(record, request.settings),
  })
  if (changes === null) return null
  refuseSecrets(changes, request.settings)
  const { excluded } = changes
  const settled: Footing = { ...from, stamp, before: { ...from.before, excluded } }
  if (changes.files.length + changes.deleted.length === 0) return { checkpoint: null, footing: settled }
  return importChanges(step, { last, changes, from: settled })
}

/** HEAD, index and rules are as they were; null where they are not, or where that cannot be told cheaply. */
function confirmStamp({ repository, record }: Step, { stamp, before, ordinary }: Footing): GitStamp | null {
  if (!ordinary) return null
  const now = readGitStamp(whereOf(record), repository.git.commonDir)
  if (now.head !== stamp.head || now.refs !== stamp.refs || now.rules !== stamp.rules) return null
  if (now.index === stamp.index) return now
  return readIndexTree(whereOf(record), before.head.length / 2) === before.staged_tree ? now : null
}

interface Importing {
  readonly last: Last
  readonly changes: PathChanges
  readonly from: Footing
}

async function importChanges(step: Step, importing: Importing): Promise<Paced | null> {
  const { repository, record, request } = step
  const { last, changes, from } = importing
  const at = repository.effects.clock.now()
  const id = last.next_id
  const ref = snapshotRef(record.invocation_id, id)
  if (last.checkpoint === null) return null
  const { excluded } = changes
  const { parents, state } = from.described
  const input = formatImport({
    ref,
    parents: [last.checkpoint.snapshot_commit, ...parents],
    message: formatKeptState(checkpointSubject(record, id), { ...state, excluded: [...excluded] }),
    at,
    ...changes,
  })
  repository.effects.onStep('keep the checkpoint')
  const { store } = repository.git
  const imported = await store.run([...LOOSE, 'fast-import', '--quiet', '--depth=0'], {
    input,
    answers: [1, 128],
  })
  // A ref of that number, left by a kill, is in the way.
  if (imported.exitCode !== 0) return null
  const { commit, tree } = readAnswer(imported.stdout)
  const footing: Footing = { ...from, before: { ...from.before, state_tree: tree } }
  if (tree === from.before.state_tree) {
    await store.run(['update-ref', '--no-deref', '-d', ref, commit])
    return { checkpoint: null, footing }
  }
  const made = {
    id,
    ref,
    commit,
    at,
    head_sha: from.before.head,
    state_tree: tree,
    staged: null,
    excluded,
    incomplete: from.capture.incomplete,
  }
  return { checkpoint: await recordCheckpoint(repository, record, { last, request, made }), footing }
}

function readAnswer(output: Buffer): { readonly commit: ObjectId; readonly tree: ObjectId } {
  const [commit = '', tree = ''] = output.toString('latin1').split('\n')
  return { commit: parseObjectId(commit), tree: parseObjectId(tree.split(/[ \t]/)[2] ?? '') }
}

/** null where the paths alone can never tell. */
function findFooting(
  record: InvocationRecord,
  stamp: GitStamp,
  { capture, described }: Scanned,
): Footing | null {
  if (capture.unborn || stamp.head === null) return null
  const { head, head_tree, state_tree, excluded, incomplete } = capture
  const staged_tree = capture.index_tree ?? head_tree
  const ordinary = readIndexTree(whereOf(record), head.length / 2) !== undefined
  const before = { said_head: stamp.head, head, head_tree, staged_tree, state_tree, excluded, incomplete }
  return { stamp, capture, before, ordinary, described }
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
