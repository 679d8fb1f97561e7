// Why something cannot be done with the checkpoint that the person is at; null if it can be, or if it is not about
// checkpoints.

import { shortId } from '../../../core/model/ids.ts'
import { isActive, isClosed } from '../../../core/model/invocation.ts'
import type { Action } from '../keys/bindings.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import { comparable, WORK_ONLY } from '../timeline/comparison.ts'
import { chosenCheckpoint, type TimelineState } from '../timeline/timeline-state.ts'
import type { DashboardState } from './dashboard-state.ts'
import { currentRow } from './selection.ts'
import { isComparing } from './stage.ts'

export function whyNotOnCheckpoint(state: DashboardState, action: Action): string | null {
  const row = currentRow(state)
  const timeline = row === null ? undefined : state.timelines[row.record.invocation_id]
  if (row === null) return null
  if (isComparing(state, row) && WORK_ONLY.has(action)) return 'only in the diff of all its work: d shows it'
  if (!/^(?:checkpoints|compare)\./.test(action)) return null
  if (timeline === undefined) return 'its checkpoints are still being read'
  return nothingChosen(timeline) ?? REASONS[action]?.(state, row, timeline) ?? null
}

function nothingChosen(timeline: TimelineState): string | null {
  if (chosenCheckpoint(timeline) !== null) return null
  if (timeline.failure !== null) return 'its checkpoints could not be read: C tries again'
  if (timeline.checkpoints === null) return 'its checkpoints are still being read'
  return timeline.facts.closed ? 'it has no checkpoint' : 'there is no checkpoint yet: c takes one'
}

type ReasonOf = (state: DashboardState, row: ObservedInvocation, timeline: TimelineState) => string | null

const REASONS: Partial<Record<Action, ReasonOf>> = {
  'checkpoints.restore': (state, row) => {
    const short = shortId(row.record.invocation_id)
    if (isClosed(row.record)) return `${short} was ${row.record.landing_status}: u brings its sandbox back`
    if (isActive(row.record)) return `${short} is still running: s stops it first`
    return busy(state, row)
  },
  'checkpoints.rename': busy,
  'compare.against': (_, __, timeline) =>
    comparable(timeline, timeline.comparison?.checkpoint ?? 0).length > 1
      ? null
      : 'there is nothing else to compare it with',
}

function busy({ tasks }: DashboardState, { record }: ObservedInvocation): string | null {
  const task = tasks.find(({ about }) => about === record.invocation_id)
  return task === undefined ? null : `wait: ${task.words}`
}
