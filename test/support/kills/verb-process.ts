// Does one verb, and is killed at its n-th step as by a power cut: nothing of ours runs after that. It begins when its
// standard input ends. Arguments: data directory, repository, verb, id, n.

import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/core/doors/system/system-clock.ts'
import { CHECKPOINT_DEFAULTS } from '../../../src/core/model/checkpoint-settings.ts'
import { parseInvocationId, parseWorktreeId } from '../../../src/core/model/ids.ts'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { restoreCheckpoint } from '../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { redoLast } from '../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../src/core/operations/history/undo-operation.ts'
import { createWorktree } from '../../../src/core/operations/integration/create-worktree.ts'
import { removeWorktree } from '../../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../src/core/store/invocations.ts'
import { openRepository, type Repository } from '../../../src/core/store/repository.ts'
import { readWorktree } from '../../../src/core/store/worktrees.ts'
import { makeEffects } from '../scene/effects.ts'

const [dataDir = '', root = '', verb = '', id = '', killAt = ''] = process.argv.slice(2)
const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record

const VERBS: Readonly<Record<string, (repository: Repository) => Promise<unknown>>> = {
  discard: (repository) =>
    discardInvocation(repository, readInvocation(repository.paths, parseInvocationId(id)), noneRuns),
  remove: (repository) =>
    removeWorktree(repository, readWorktree(repository.paths, parseWorktreeId(id)), {
      force: true,
      end: noneRuns,
      progress: () => {},
    }),
  restore: (repository) =>
    restoreCheckpoint(repository, readInvocation(repository.paths, parseInvocationId(id)), {
      checkpoint: 1,
      settings: CHECKPOINT_DEFAULTS,
    }),
  land: (repository) =>
    landInvocation(repository, readInvocation(repository.paths, parseInvocationId(id)), {}),
  create: (repository) => createWorktree(repository, { name: id, cwd: root }),
  undo: (repository) => undoLast(repository),
  redo: (repository) => redoLast(repository),
}

let steps = 0
const held = makeEffects(dataDir, () => {
  steps += 1
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL')
})
// Ids must differ from those of other processes.
const effects = { ...held, clock: systemClock, random: () => randomBytes(2) }
for await (const _ of process.stdin);
await VERBS[verb]?.(await openRepository(effects, root))
