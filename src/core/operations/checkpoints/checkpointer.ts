// Takes checkpoints of one sandbox, one after the other. If it is told what changed since the last one, the next costs
// the same in a tree of any size. Now and then it looks at the whole tree, and what that shows is what counts.

import type { CaptureStep, Follower } from '../../changesets/changeset.ts'
import { openChangeset } from '../../changesets/open-changeset.ts'
import type { DescribedState } from '../../changesets/worktree/keep/keep-capture.ts'
import { type DescribeDiff, withDiffstat } from '../../doors/git/compare-trees.ts'
import { type Imported, type Importer, withImporter } from '../../doors/git/importer.ts'
import { isRefusedByGit } from '../../doors/git/ref-failure.ts'
import { type Checkpoint, snapshotRef } from '../../model/checkpoint.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { formatKeptState } from '../../model/kept-state.ts'
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
  takeByScan,
} from './take-checkpoint.ts'

export interface TakeRequest extends CheckpointRequest {
  /** All paths that changed since the last call, from the tree's root; null where that is not known. */
  readonly paths: ReadonlySet<string> | null
}

export interface TakenCheckpoint {
  /** null if nothing has changed. */
  readonly checkpoint: Checkpoint | null
  readonly by: 'paths' | 'scan'
  /**
   * After a scan: paths that differ from the last call, as shown; null where HEAD, the index or the rules changed as
   * well.
   */
  readonly differing: () => Promise<readonly string[] | null>
}

export interface Checkpointer {
  /** Throws what takeCheckpoint throws. After that, the next call looks at the whole tree. */
  take(request: TakeRequest): Promise<TakenCheckpoint>
}

/** What a call knows before it has looked at anything. */
interface TakingCheckpoint {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly request: TakeRequest
  readonly follower: Follower
  /** The message and parents of the state that the follower starts from. */
  readonly described: DescribedState | null
}

export function openCheckpointer(repository: Repository, record: InvocationRecord): Checkpointer {
  const follower = openChangeset(repository, record).follow()
  let described: DescribedState | null = null
  const takeOne = async (request: TakeRequest): Promise<TakenCheckpoint> => {
    const stepped = await takeByStep({ repository, record, request, follower, described }).catch(orScan)
    if (stepped !== null) {
      return { checkpoint: stepped.checkpoint, by: 'paths', differing: async () => [] }
    }
    const scanned = await follower.look(() => takeByScan(repository, record, request))
    described = scanned.described
    return { checkpoint: scanned.checkpoint, by: 'scan', differing: scanned.differing }
  }
  return { take: (request) => inSandboxTurn(repository, record, () => takeOne(request)) }
}

/** Where git cannot do it by paths, because files come and go, a look at the whole tree may still work. */
function orScan(error: unknown): null {
  if (isRefusedByGit(error)) return null
  throw error
}

interface Stepped {
  readonly checkpoint: Checkpoint | null
}

/** null where the whole tree has to be looked at. */
async function takeByStep(taking: TakingCheckpoint): Promise<Stepped | null> {
  const { repository, record, request, follower, described } = taking
  const { paths, reason } = request
  const before = follower.standsOn()
  if (before === null || described === null || paths === null) return null
  if (reason === 'asked' || reason === 'restore') return null
  const last = readLast(repository, record)
  const { checkpoint } = last
  if (checkpoint?.tree !== before.state_tree || checkpoint.head_sha !== before.head) return null
  if ((checkpoint.verbatim_tree ?? null) !== (before.verbatim?.tree ?? null)) return null
  const leaveOut = leaveOutOf(record, request.settings)
  return withImporter(repository.git.store, async (importer) => {
    const step = await follower.step({ paths, leaveOut, importer })
    return step && importStep(taking, { last: { ...last, checkpoint }, described, step, importer })
  })
}

interface Importing {
  readonly last: Last & { readonly checkpoint: Checkpoint }
  readonly described: DescribedState
  readonly step: CaptureStep
  readonly importer: Pick<Importer, 'commit'>
}

async function importStep(taking: TakingCheckpoint, importing: Importing): Promise<Stepped | null> {
  const { repository, record, request } = taking
  const { last, described, step, importer } = importing
  const { changes, before } = step
  refuseSecrets(changes, request.settings)
  if (changes.files.length + changes.deleted.length === 0) {
    step.settle(before.state_tree)
    return { checkpoint: null }
  }
  const at = repository.effects.clock.now()
  const id = last.next_id
  const ref = snapshotRef(record.invocation_id, id)
  const { parents, state } = described
  repository.effects.onStep('keep the checkpoint')
  const writing = importer.commit({
    ref,
    parents: [last.checkpoint.snapshot_commit, ...parents],
    message: formatKeptState(checkpointSubject(record, id), { ...state, excluded: [...changes.excluded] }),
    at,
    ...changes,
  })
  return withDiffstat(repository.git.store, async (describe) => {
    const imported = await writing
    // null where a kill has left a ref with that number: then none was made.
    return imported && recordStep(taking, { ...importing, imported, id, ref, at, describe })
  })
}

interface Importation extends Importing {
  readonly imported: Imported
  readonly id: number
  readonly ref: string
  readonly at: Date
  readonly describe: DescribeDiff
}

async function recordStep(
  { repository, record, request }: TakingCheckpoint,
  made: Importation,
): Promise<Stepped> {
  const { last, step, imported, id, ref, at, describe } = made
  const { commit, tree } = imported
  const { head, incomplete, state_tree, verbatim } = step.before
  if (tree === state_tree) {
    await repository.git.store.run(['update-ref', '--no-deref', '-d', ref, commit])
    step.settle(tree)
    return { checkpoint: null }
  }
  const { excluded } = step.changes
  const kept = {
    id,
    ref,
    commit,
    at,
    head_sha: head,
    state_tree: tree,
    verbatim,
    staged: null,
    excluded,
    incomplete,
  }
  const checkpoint = await recordCheckpoint(repository, record, { last, request, made: kept, describe })
  step.settle(tree)
  return { checkpoint }
}
