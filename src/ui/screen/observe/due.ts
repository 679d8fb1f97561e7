// When it is worth asking git again what an invocation changed, or whether it would land. Pure: the rules that keep the
// machine free for the agents.

import type { SurveyedInvocation } from '../../../core/facade/watching.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { isActive, isClosed } from '../../../core/model/invocation.ts'
import type { Pace } from './pace.ts'

export type Work = 'diff' | 'forecast'

/** How it was worked out the last time. Times in milliseconds since the epoch. */
export interface Track {
  /** What it was made from: the same stamp gives the same answer. */
  readonly stamp: string
  readonly ended_at: number
  readonly took: number
  readonly failed: boolean
}

export interface Tracks {
  readonly diff?: Track
  readonly forecast?: Track
}

export interface DueCandidate {
  readonly id: InvocationId
  readonly work: Work
  readonly stamp: string
  readonly due_at: number
}

export interface CandidateFacts {
  readonly view: SurveyedInvocation
  readonly tracks: Tracks
  /** Another one where its worktree's branch stands elsewhere. */
  readonly head: string
  readonly pace: Pace
}

/** What can be worked out for it, whenever it is due. Nothing for one that is being made, or is closed for good. */
export function candidatesFor({ view, tracks, head, pace }: CandidateFacts): DueCandidate[] {
  const { record } = view
  if (isClosed(record) || record.status === 'starting') return []
  const id = record.invocation_id
  const active = isActive(record)
  const output = active ? `${lastSign(view)}` : `ended ${record.finished_at}`
  const diff = { id, work: 'diff', stamp: output, due_at: diffDueAt(view, tracks.diff, pace) } as const
  // A landing needs the run to have ended, and its diff to be known.
  if (active || tracks.diff?.stamp !== output) return [diff]
  const stamp = `${output} onto ${head}`
  return [diff, { id, work: 'forecast', stamp, due_at: dueAtOnce(stamp, tracks.forecast, pace) }]
}

/** When it last spoke, or was last seen to have changed a file: a checkpoint is taken of changes only. */
function lastSign({ last_output_at, checkpoints }: SurveyedInvocation): string | null {
  const changed_at = checkpoints?.last_at ?? null
  if (last_output_at === null || changed_at === null) return last_output_at ?? changed_at
  return Date.parse(last_output_at) > Date.parse(changed_at) ? last_output_at : changed_at
}

function diffDueAt(view: SurveyedInvocation, track: Track | undefined, pace: Pace): number {
  if (!isActive(view.record)) return dueAtOnce(`ended ${view.record.finished_at}`, track, pace)
  if (track === undefined) return 0
  const sign = lastSign(view)
  if (track.stamp === `${sign}`) return retryAt(track, pace)
  const spoke = sign === null ? 0 : Date.parse(sign)
  const settled = Math.min(spoke + pace.quiet_ms, track.ended_at + pace.restless_ms)
  return Math.max(settled, track.ended_at + Math.max(pace.diff_ms, track.took * pace.backoff))
}

const dueAtOnce = (stamp: string, track: Track | undefined, pace: Pace): number =>
  track?.stamp === stamp ? retryAt(track, pace) : 0

/** The same question again: only where there was no answer. */
const retryAt = ({ failed, ended_at, took }: Track, pace: Pace): number =>
  failed ? ended_at + Math.max(pace.retry_ms, took * pace.backoff) : Number.POSITIVE_INFINITY

/** The first that is due; else when one will be (Infinity: none). */
export function chooseWork(candidates: readonly DueCandidate[], now: number): DueCandidate | number {
  const due = candidates.filter(({ due_at }) => due_at <= now)
  const first = due.find(({ work }) => work === 'diff') ?? due[0]
  return first ?? Math.min(Number.POSITIVE_INFINITY, ...candidates.map(({ due_at }) => due_at))
}
