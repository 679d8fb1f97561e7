// What a row says of an invocation: derived from the record, its log and what the runner reports, never stored.

import type { InvocationRecord } from './invocation.ts'
import type { ReportedStatus } from './reported-status.ts'

export const DISPLAY_STATES = [
  'starting',
  'working',
  'needs_input',
  'ready_for_review',
  'blocked',
  'idle',
  'stalled',
  'ready',
  'failed',
  'landed',
  'discarded',
] as const
export type DisplayState = (typeof DISPLAY_STATES)[number]

export interface StatusFacts {
  readonly now: Date
  /** Milliseconds since the epoch of the last chunk of output; null before any. */
  readonly last_output_at: number | null
  /** What the runner itself reports. */
  readonly reported: ReportedStatus | null
  /** Seconds of silence after which a live runner counts as stalled. */
  readonly stalled_after: number
}

/** It says itself that it goes on only when a person has looked. */
export const waitsForPerson = (display: DisplayState): boolean =>
  display === 'needs_input' || display === 'ready_for_review' || display === 'blocked'

export function deriveDisplayState(record: InvocationRecord, facts: StatusFacts): DisplayState {
  const { landing_status: landing, status } = record
  if (landing === 'landed' || landing === 'discarded') return landing
  switch (status) {
    case 'starting':
      return 'starting'
    case 'running':
      return deriveRunningState(record, facts)
    case 'finished':
      return 'ready'
    case 'failed':
      return 'failed'
  }
}

function deriveRunningState(record: InvocationRecord, facts: StatusFacts): DisplayState {
  if (facts.reported !== null && facts.reported !== 'working') return facts.reported
  const since = facts.last_output_at ?? Date.parse(record.started_at)
  return facts.now.getTime() - since > facts.stalled_after * 1000 ? 'stalled' : 'working'
}
