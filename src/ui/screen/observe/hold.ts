// Until when git begins nothing, because the person is typing. Pure; times are in milliseconds since the epoch.

import type { Pace } from './pace.ts'

export interface Hold {
  readonly since: number
  readonly until: number
}

export const NO_HOLD: Hold = { since: 0, until: 0 }

/** A key was pressed. */
export function holdAfterKey({ since, until }: Hold, now: number, pace: Pace): Hold {
  const begun = now < until ? since : now
  return { since: begun, until: Math.min(now + pace.hold_ms, begun + pace.longest_hold_ms) }
}
