// The verdict on a run, from how the process ended, what we asked of it, and the runner's own error flag. Never from
// what a runner calls its ending: Claude Code calls a failed request a success. Pure.

import type { RunEnd, RunOutcome } from '../../core/model/runner.ts'

/** Exit codes of a shell or CLI that was ended by SIGTERM or SIGKILL. */
const FORCED_CODES: Readonly<Record<number, string>> = { 137: 'SIGKILL', 143: 'SIGTERM' }

export function deriveOutcome(end: RunEnd): RunOutcome {
  if (end.asked === 'kill' && end.exit_code !== 0) return failedOutcome('killed', 'it was killed')
  if (end.asked === 'stop') return stoppedOutcome(end)
  if (end.exit_signal !== null)
    return failedOutcome('exited', withReason(end, `it was ended by ${end.exit_signal}`))
  if (end.exit_code === null) return failedOutcome('unknown', 'nobody saw how it ended')
  if (end.exit_code !== 0) return failedOutcome('exited', ownReason(end) ?? `it exited with ${end.exit_code}`)
  return end.result?.ok === false
    ? failedOutcome('exited', ownReason(end) ?? 'it reported an error')
    : { status: 'finished', exit_reason: 'exited', failure: null }
}

/**
 * If SIGINT ended it, it has finished, whatever its exit code, since each CLI has its own. If it had to be forced, it
 * has failed.
 */
function stoppedOutcome(end: RunEnd): RunOutcome {
  const forced = end.exit_signal ?? FORCED_CODES[end.exit_code ?? 0] ?? null
  if (forced !== null && forced !== 'SIGINT') {
    return failedOutcome('stopped', `it did not end when asked to, and was ended by ${forced}`)
  }
  if (forced === null && end.exit_code === null) return failedOutcome('unknown', 'nobody saw how it ended')
  return { status: 'finished', exit_reason: 'stopped', failure: null }
}

const failedOutcome = (exitReason: RunOutcome['exit_reason'], failure: string): RunOutcome => ({
  status: 'failed',
  exit_reason: exitReason,
  failure,
})

function ownReason(end: RunEnd): string | null {
  const summary = end.result?.ok === false ? end.result.summary : ''
  return summary !== '' ? summary : end.last_error
}

function withReason(end: RunEnd, what: string): string {
  const reason = ownReason(end)
  return reason === null ? what : `${what}; its last error was: ${reason}`
}
