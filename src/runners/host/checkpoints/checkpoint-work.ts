// What a host needs to take checkpoints. Loaded only when there is one to take, because every agent has a host.

import { openChangeset } from '../../../core/changesets/open-changeset.ts'
import { watchChangeset } from '../../../core/changesets/watch-changeset.ts'
import type { TreeWatcher, WatchEvents } from '../../../core/changesets/worktree/watch/tree-watcher.ts'
import type { Effects } from '../../../core/doors/effects.ts'
import { spawnHere } from '../../../core/doors/spawner/local-spawner.ts'
import type { CheckpointSettings } from '../../../core/model/checkpoint-settings.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { repoRecordSchema } from '../../../core/model/repo.ts'
import type { HostLaunch } from '../../../core/model/runner.ts'
import {
  openCheckpointer,
  type TakenCheckpoint,
  type TakeRequest,
} from '../../../core/operations/checkpoints/checkpointer.ts'
import { thinCheckpoints } from '../../../core/operations/checkpoints/thin-checkpoints.ts'
import { inSandboxTurn } from '../../../core/operations/sandboxes/sandbox-turn.ts'
import { readInvocation } from '../../../core/store/invocations.ts'
import { readRecord } from '../../../core/store/record-file.ts'
import { bindRepository } from '../../../core/store/repository.ts'
import type { CheckpointDoors } from './checkpointing.ts'

export interface CheckpointWork {
  take(request: TakeRequest): Promise<TakenCheckpoint>
  /** False if something may have changed without being told. */
  seesAll(): boolean
  /** To be called when the watcher has missed something. */
  watchAnew(): void
  /** Drops checkpoints that the list can do without. Waits its turn for the lock, so it is in nobody's way. */
  thin(settings: CheckpointSettings): Promise<void>
  /** To be called when nothing changes any more: makes the next look at the tree quicker. */
  keepLook(): Promise<void>
  /** Throws if the tree cannot be watched. */
  watch(events: WatchEvents): Promise<void>
  close(): Promise<void>
}

export async function openWork(launch: HostLaunch, doors: CheckpointDoors): Promise<CheckpointWork> {
  const known = readRecord(doors.paths.record, repoRecordSchema)
  if (known === null) throw new AgencyError('E_HOST_FAILED', 'the repository has no record')
  const repository = await bindRepository(closedEffects(launch, doors), known)
  const record = readInvocation(doors.paths, launch.invocation_id)
  const checkpointer = openCheckpointer(repository, record)
  const changeset = openChangeset(repository, record)
  let watcher: TreeWatcher | null = null
  return {
    take: checkpointer.take,
    seesAll: () => watcher?.isWhole() === true,
    watchAnew: () => watcher?.renew(),
    thin: async (settings) => {
      await thinCheckpoints(repository, record, { settings })
    },
    keepLook: () =>
      inSandboxTurn(repository, record, async () => {
        if (changeset.presence() === 'there') await changeset.keepLook()
      }),
    watch: async (events) => {
      watcher = await watchChangeset(repository, record, events)
    },
    close: async () => {
      await watcher?.close()
    },
  }
}

/** Closes the doors that a checkpoint has no use for: it starts no host and asks no runner. */
function closedEffects(launch: HostLaunch, { processes, clock }: CheckpointDoors): Effects {
  const closed = (): never => {
    throw new AgencyError('E_INTERNAL', 'a host opens no such door')
  }
  return {
    clock,
    spawner: spawnHere,
    processes: processes as Effects['processes'],
    hosts: { boot: closed, end: closed, send: closed, attach: closed },
    runners: { names: [], get: closed },
    environments: { names: [], get: closed, of: closed },
    watchDirectory: closed,
    random: closed,
    onStep: () => {},
    env: process.env,
    dataDir: launch.data_dir,
  }
}
