// Whether two states differ in nothing but the time. What does not depend on time need not be worked out at each tick.

import type { DashboardState } from './dashboard-state.ts'

const TIME: ReadonlySet<string> = new Set<keyof DashboardState>(['now', 'tick'])

export function sameButTime(a: DashboardState, b: DashboardState): boolean {
  if (a === b) return true
  for (const name of Object.keys(b) as (keyof DashboardState)[]) {
    if (a[name] !== b[name] && !TIME.has(name)) return false
  }
  return true
}
