// What a run's end means, from how its process ended and what was asked of it.

import type { Outcome, RunEnd } from '../core/model/runner.ts'

export function deriveOutcome(end: RunEnd): Outcome {
  if (end.asked === 'kill') return { status: 'failed', exit_reason: 'killed', failure: 'it was killed' }
  if (end.asked === 'stop') return { status: 'finished', exit_reason: 'stopped', failure: null }
  if (end.exit_code === 0) return { status: 'finished', exit_reason: 'exited', failure: null }
  const how =
    end.exit_code === null ? `ended by ${end.exit_signal ?? 'nobody knows what'}` : `exit ${end.exit_code}`
  return { status: 'failed', exit_reason: 'exited', failure: how }
}
