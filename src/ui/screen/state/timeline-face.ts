// The timeline of an invocation as a face of its slot. It is opened and read again whenever the stage shows it and its
// list has changed since it was read.

import { isClosed } from '../../../core/model/invocation.ts'
import { actOnDiff } from '../diff/act-on-diff.ts'
import { colourDiff, type DiffState, failDiff, receiveDiff } from '../diff/diff-state.ts'
import type { Action, Move } from '../keys/bindings.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { Size } from '../scene.ts'
import { closeComparison, moveInTimeline, wantedComparison } from '../timeline/act-on-timeline.ts'
import { type ComparisonWant, compareWith } from '../timeline/comparison.ts'
import { layOutComparison } from '../timeline/timeline-layout.ts'
import {
  failTimeline,
  openTimeline,
  receiveTimeline,
  type TimelineFacts,
  type TimelineState,
} from '../timeline/timeline-state.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Command, type Message, type Step, stay } from './message.ts'
import { nameRow, shownChord } from './naming.ts'
import { findRow } from './selection.ts'
import { faceOf, stagedIds } from './stage.ts'

export type TimelineMessage = Extract<Message, { kind: `timeline_${string}` }>

export const withTimeline = (state: DashboardState, id: string, timeline: TimelineState): DashboardState =>
  timeline === state.timelines[id] ? state : { ...state, timelines: { ...state.timelines, [id]: timeline } }

/** Called after any message: reads timelines that the stage shows and that were not read yet, or have changed. */
export function followTimelines({ state, commands }: Step): Step {
  let after = state
  const reads: Command[] = []
  for (const id of stagedIds(state)) {
    const row = findRow(state, id)
    if (row === null || faceOf(state, row) !== 'checkpoints') continue
    const timeline = state.timelines[id]
    const closed = isClosed(row.record)
    if (timeline !== undefined && timeline.seen === row.checkpoints && timeline.facts.closed === closed)
      continue
    after = withTimeline(after, id, renewed(after, row))
    reads.push({ do: 'read_timeline', id }, ...renewComparison(after, id))
  }
  return reads.length === 0 ? { state, commands } : { state: after, commands: [...commands, ...reads] }
}

function renewed(state: DashboardState, row: ObservedInvocation): TimelineState {
  const timeline = state.timelines[row.record.invocation_id]
  const facts: TimelineFacts = {
    id: row.record.invocation_id,
    name: nameRow(row),
    closed: isClosed(row.record),
    chord: (action: Action) => shownChord(state, action) ?? '',
  }
  return timeline === undefined
    ? openTimeline(facts, row.checkpoints)
    : { ...timeline, facts, seen: row.checkpoints }
}

/** Shows the list from the beginning, instead of a comparison. */
export function reopenTimeline(state: DashboardState, { record }: ObservedInvocation): Step {
  const id = record.invocation_id
  const timeline = state.timelines[id]
  if (timeline === undefined) return stay(state)
  return also(withTimeline(state, id, { ...closeComparison(timeline), failure: null }), {
    do: 'read_timeline',
    id,
  })
}

export function receiveTimelineMessage(state: DashboardState, message: TimelineMessage): DashboardState {
  const timeline = state.timelines[message.id]
  if (timeline === undefined) return state
  return withTimeline(state, message.id, received(timeline, message))
}

function received(timeline: TimelineState, message: TimelineMessage): TimelineState {
  switch (message.kind) {
    case 'timeline_read':
      return receiveTimeline(timeline, message.checkpoints)
    case 'timeline_failed':
      return failTimeline(timeline, message.error)
    case 'timeline_compared':
      return answered(timeline, message.want, (diff) => receiveDiff(diff, message.diff))
    case 'timeline_not_compared':
      return answered(timeline, message.want, (diff) => failDiff(diff, message.error))
  }
}

/** An answer to what is no longer wanted changes nothing. */
function answered(
  timeline: TimelineState,
  want: ComparisonWant,
  change: (diff: DiffState) => DiffState,
): TimelineState {
  const { comparison } = timeline
  if (comparison?.checkpoint !== want.checkpoint || comparison.against !== want.against) return timeline
  return { ...timeline, comparison: { ...comparison, diff: change(comparison.diff) } }
}

/** Asks for the next comparison, which is shown as soon as it is read. */
export function compareNext(state: DashboardState, id: string): Step {
  const timeline = state.timelines[id]
  const want = timeline === undefined ? null : wantedComparison(timeline)
  if (timeline === undefined || want === null) return stay(state)
  const asked = compareWith(timeline, want, state.now)
  return also(withTimeline(state, id, coloured(asked, state)), comparisonCommand(id, want))
}

const comparisonCommand = (id: string, want: ComparisonWant): Command => ({ do: 'compare', id, want })

export function coloured(timeline: TimelineState, { highlighter }: DashboardState): TimelineState {
  const { comparison } = timeline
  if (comparison === null || highlighter === null) return timeline
  return { ...timeline, comparison: { ...comparison, diff: colourDiff(comparison.diff, highlighter) } }
}

/** The sandbox has changed, so a comparison with its present state is read again. */
export function renewComparison(state: DashboardState, id: string): readonly Command[] {
  const comparison = state.timelines[id]?.comparison ?? null
  if (comparison?.against !== 'now') return []
  const { checkpoint, against } = comparison
  return [comparisonCommand(id, { checkpoint, against })]
}

export function changeComparison(
  state: DashboardState,
  id: string,
  change: (diff: DiffState) => DiffState,
): DashboardState {
  const timeline = state.timelines[id]
  if (timeline === undefined || timeline.comparison === null) return state
  const { comparison } = timeline
  const diff = change(comparison.diff)
  if (diff === comparison.diff) return state
  return withTimeline(state, id, { ...timeline, comparison: { ...comparison, diff } })
}

export function actOnTimelineFace(
  state: DashboardState,
  timeline: TimelineState,
  { action, size }: { readonly action: TimelineAction; readonly size: Size },
): Step {
  const { id } = timeline.facts
  if (action === 'checkpoints.diff') {
    return compareNext(withTimeline(state, id, closeComparison(timeline)), id)
  }
  if (action === 'compare.against') return compareNext(state, id)
  if (timeline.comparison === null) {
    if (!action.startsWith('move.')) return stay(state)
    const to = action.slice('move.'.length) as Move
    return stay(withTimeline(state, id, moveInTimeline(timeline, to, size)))
  }
  const { diff: place } = layOutComparison({ x: 0, y: 0, width: size.columns, height: size.rows })
  const room = { columns: place.width, rows: place.height }
  return stay(changeComparison(state, id, (diff) => actOnDiff(diff, action, room).state))
}

export type TimelineAction = Extract<
  Action,
  'checkpoints.diff' | 'compare.against' | `diff.${string}` | `move.${Move}`
>
