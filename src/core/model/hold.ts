// While a person is typing, nothing is started that would make a key wait. This says until when. Pure; times are
// milliseconds of one clock.

export interface HoldTimes {
  /** How long a key holds things up. */
  readonly hold_ms: number
  /** The longest that things are held up, however long the typing goes on. */
  readonly longest_hold_ms: number
}

export interface Hold {
  readonly since: number
  readonly until: number
}

export const NO_HOLD: Hold = { since: 0, until: 0 }

/** Called when a key is pressed. */
export function holdAfterKey({ since, until }: Hold, now: number, pace: HoldTimes): Hold {
  const begun = now < until ? since : now
  return { since: begun, until: Math.min(now + pace.hold_ms, begun + pace.longest_hold_ms) }
}
