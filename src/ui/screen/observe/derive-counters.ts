// How many agents work, wait for a person, are ready, failed: the figures at the right of the footer.

import type { InvocationView } from '../../../core/facade/agency.ts'
import type { DisplayState } from '../../../core/model/status.ts'
import type { Counters } from './snapshot.ts'

const COUNTED: Readonly<Partial<Record<DisplayState, keyof Counters>>> = {
  starting: 'working',
  working: 'working',
  needs_input: 'needs_you',
  ready_for_review: 'needs_you',
  blocked: 'needs_you',
  stalled: 'needs_you',
  ready: 'ready',
  failed: 'failed',
}

/** Silent ones count too, so that a worktree's counters and those of the footer agree. */
export const needsPerson = (display: DisplayState): boolean => COUNTED[display] === 'needs_you'

export function deriveCounters(views: readonly InvocationView[]): Counters {
  const counters = { working: 0, needs_you: 0, ready: 0, failed: 0 }
  for (const { display } of views) {
    const counter = COUNTED[display]
    if (counter !== undefined) counters[counter] += 1
  }
  return counters
}

/**
 * Agents that cannot go on, then those that ended badly, then those that wait to be landed; each with the longest
 * waiting first.
 */
const URGENCY: readonly DisplayState[] = [
  'needs_input',
  'blocked',
  'stalled',
  'ready_for_review',
  'failed',
  'ready',
]

/** Those that need a person, the most urgent first. */
export function orderOfNeed<View extends InvocationView>(views: readonly View[]): View[] {
  const since = ({ record, last_output_at }: View): string =>
    record.finished_at ?? last_output_at ?? record.started_at
  return views
    .filter(({ display }) => URGENCY.includes(display))
    .sort((a, b) => URGENCY.indexOf(a.display) - URGENCY.indexOf(b.display) || (since(a) < since(b) ? -1 : 1))
}
