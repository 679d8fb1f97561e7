// Which checkpoints an older list can do without: the latest are all kept, of older ones one in every few minutes, of
// the oldest one in a longer while. Thinning now and again later keeps the same ones as thinning only later, because
// windows are counted from a fixed moment and the newest of each window is kept.

import type { Checkpoint } from './checkpoint.ts'
import type { CheckpointSettings } from './checkpoint-settings.ts'

export type ThinningRules = Pick<
  CheckpointSettings,
  'keep_all_minutes' | 'keep_every_minutes' | 'keep_every_for_minutes' | 'keep_old_every_minutes'
>

const MINUTE = 60_000

/** Those that go, in the order of the list. Never the first, the newest, or one with a name. Pure. */
export function planThinning(
  checkpoints: readonly Checkpoint[],
  now: Date,
  rules: ThinningRules,
): readonly Checkpoint[] {
  const marked = new Set([checkpoints[0], checkpoints.at(-1), ...checkpoints.filter(isNamed)])
  const recent = newestOfEach(checkpoints, rules.keep_every_minutes)
  const old = newestOfEach(checkpoints, rules.keep_old_every_minutes)
  return checkpoints.filter((checkpoint) => {
    const age = (now.getTime() - checkpointTime(checkpoint)) / MINUTE
    if (marked.has(checkpoint) || Number.isNaN(age) || age <= rules.keep_all_minutes) return false
    return !(age <= rules.keep_every_for_minutes ? recent : old).has(checkpoint)
  })
}

const isNamed = ({ name }: Checkpoint): boolean => name !== null

/** With 0 minutes, each checkpoint is a window of its own. */
function newestOfEach(checkpoints: readonly Checkpoint[], minutes: number): ReadonlySet<Checkpoint> {
  if (minutes === 0) return new Set(checkpoints)
  const newest = new Map<number, Checkpoint>()
  for (const checkpoint of checkpoints) {
    const window = Math.floor(checkpointTime(checkpoint) / (minutes * MINUTE))
    const known = newest.get(window)
    if (known === undefined || checkpointTime(known) <= checkpointTime(checkpoint))
      newest.set(window, checkpoint)
  }
  return new Set(newest.values())
}

const checkpointTime = ({ created_at }: Checkpoint): number => Date.parse(created_at)
