// The part of gc that deals with checkpoints. Those of open sandboxes are thinned out. Those of a closed sandbox are
// deleted together with the kept state that could have brought it back.

import { moveRefs } from '../../doors/git/move-refs.ts'
import { deletePath, lstatIfThere } from '../../doors/system/files.ts'
import type { CheckpointSettings } from '../../model/checkpoint-settings.ts'
import { type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { TRASH_REFS } from '../../model/refs.ts'
import type { Repository } from '../../store/repository.ts'
import { listInvocations } from '../invocations/known-invocations.ts'
import { listSnapshots, trashRef } from '../sandboxes/close-sandbox.ts'
import { thinUnderLock } from './thin-checkpoints.ts'

export interface CheckpointGarbage {
  /** Refs of kept states that gc has just dropped, or would drop. */
  readonly dropped: readonly string[]
  readonly dry_run: boolean
  readonly settings: CheckpointSettings
}

export interface CollectedCheckpoints {
  readonly refs: readonly string[]
  readonly paths: readonly string[]
}

/** The caller holds the lock. */
export async function collectCheckpoints(
  repository: Repository,
  garbage: CheckpointGarbage,
): Promise<CollectedCheckpoints> {
  const kept = await listKept(repository, garbage)
  const refs: string[] = []
  const paths: string[] = []
  for (const record of listInvocations(repository.paths).invocations) {
    if (!isClosed(record)) {
      const gone = await thinUnderLock(repository, record, garbage)
      refs.push(...gone.map(({ snapshot_ref }) => snapshot_ref))
    } else if (!kept.has(trashRef(record.invocation_id))) {
      refs.push(...(await dropSnapshots(repository, record, garbage)))
      paths.push(...deleteRecords(repository, record, garbage))
    }
  }
  return { refs, paths }
}

async function listKept({ git }: Repository, { dropped }: CheckpointGarbage): Promise<ReadonlySet<string>> {
  const listed = await git.store.text(['for-each-ref', '--format=%(refname)', TRASH_REFS])
  return new Set(listed.split('\n').filter((ref) => !dropped.includes(ref)))
}

async function dropSnapshots(
  repository: Repository,
  record: InvocationRecord,
  { dry_run }: CheckpointGarbage,
): Promise<string[]> {
  const snapshots = await listSnapshots(repository, record)
  if (snapshots.length > 0 && !dry_run) {
    repository.effects.onStep('drop the checkpoints of a closed sandbox')
    await moveRefs(repository, snapshots)
  }
  return snapshots.map(({ ref }) => ref)
}

/**
 * Deletes the list, and what restores have set aside. An agent may have put a link in the place of the whole directory.
 */
function deleteRecords(
  { paths, effects }: Repository,
  { invocation_id }: InvocationRecord,
  { dry_run }: CheckpointGarbage,
): string[] {
  const { sandboxDir, checkpoints, setAside } = paths.invocation(invocation_id)
  if (lstatIfThere(sandboxDir)?.isDirectory() !== true) return []
  const there = [checkpoints, setAside].filter((path) => lstatIfThere(path) !== null)
  if (there.length > 0 && !dry_run) {
    effects.onStep('delete the list of checkpoints')
    for (const path of there) deletePath(path)
  }
  return there
}
