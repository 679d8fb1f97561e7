// The state that lists show of an invocation: derived from its record, its log and what the runner reports. Never
// stored.

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
  /** Milliseconds since the epoch of the last output; null before any. */
  readonly last_output_at: number | null
  /** What the runner itself reports. */
  readonly reported: ReportedStatus | null
  /** After so many seconds of silence a live runner counts as stalled. */
  readonly stalled_after: number
}

/** Whether the runner itself says that it waits for a person. */
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
