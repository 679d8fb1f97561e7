// How many checkpoints there are and when the last was taken, for somebody who asks every few seconds: the list is read
// again only if its file has changed.

import { statSync } from 'node:fs'
import type { CheckpointTally } from '../model/checkpoint.ts'
import type { InvocationId } from '../model/ids.ts'
import { readCheckpoints } from './checkpoints.ts'
import type { RepoPaths } from './paths.ts'

/** null if there are none, or their list cannot be read. */
export type TallyCheckpoints = (id: InvocationId) => CheckpointTally | null

interface Known {
  readonly stamp: string
  readonly tally: CheckpointTally | null
}

export function createCheckpointTally(paths: RepoPaths): TallyCheckpoints {
  const known = new Map<InvocationId, Known>()
  return (id) => {
    const stats = statSync(paths.invocation(id).checkpoints, { throwIfNoEntry: false })
    if (stats === undefined) return null
    const stamp = `${stats.ino} ${stats.mtimeMs} ${stats.size}`
    const before = known.get(id)
    if (before?.stamp === stamp) return before.tally
    const tally = tallyCheckpoints(paths, id, stamp)
    known.set(id, { stamp, tally })
    return tally
  }
}

function tallyCheckpoints(paths: RepoPaths, id: InvocationId, stamp: string): CheckpointTally | null {
  try {
    const checkpoints = readCheckpoints(paths, id)
    const last = checkpoints.at(-1)
    return last === undefined ? null : { count: checkpoints.length, last_at: last.created_at, stamp }
  } catch {
    // Not an error here: whoever opens the list is told why it cannot be read.
    return null
  }
}
