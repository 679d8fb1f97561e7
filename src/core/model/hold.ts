// Until when nothing is begun that would make a key wait, because the person is typing. Pure; times are milliseconds of
// one clock.

export interface HoldTimes {
  /** After a key. */
  readonly hold_ms: number
  /** However long the typing goes on. */
  readonly longest_hold_ms: number
}

export interface Hold {
  readonly since: number
  readonly until: number
}

export const NO_HOLD: Hold = { since: 0, until: 0 }

/** A key was pressed. */
export function holdAfterKey({ since, until }: Hold, now: number, pace: HoldTimes): Hold {
  const begun = now < until ? since : now
  return { since: begun, until: Math.min(now + pace.hold_ms, begun + pace.longest_hold_ms) }
}
