// Which agents wait for a person, and which of them comes next.

import type { DisplayState } from '../../../core/model/status.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { DashboardState } from './dashboard-state.ts'
import { currentRow } from './selection.ts'

/** Agents that cannot go on by themselves come before those that are done. */
const URGENT = new Set<DisplayState>(['needs_input', 'blocked', 'stalled'])
const DONE = new Set<DisplayState>(['ready_for_review', 'ready', 'failed'])

/** The one after the current, round and round; null if none waits. */
export function nextInNeed(state: DashboardState): ObservedInvocation | null {
  const rows = state.snapshot.invocations
  const urgent = rows.filter(({ display }) => URGENT.has(display))
  const waiting = urgent.length > 0 ? urgent : rows.filter(({ display }) => DONE.has(display))
  const current = currentRow(state)
  const at = current === null ? -1 : rows.indexOf(current)
  return waiting.find((row) => rows.indexOf(row) > at) ?? waiting[0] ?? null
}
