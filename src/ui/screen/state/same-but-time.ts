// Whether only the clock went on between two states. What depends on nothing else need not be worked out at each tick.

import type { DashboardState } from './dashboard-state.ts'

const TIME: ReadonlySet<string> = new Set<keyof DashboardState>(['now', 'tick'])

export function sameButTime(a: DashboardState, b: DashboardState): boolean {
  if (a === b) return true
  for (const name of Object.keys(b) as (keyof DashboardState)[]) {
    if (a[name] !== b[name] && !TIME.has(name)) return false
  }
  return true
}
