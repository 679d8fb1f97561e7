// How often the dashboard looks at what. Tests hurry it.

export interface Pace {
  /** Running invocations: the times of their logs, their hosts. */
  readonly active_ms: number
  /** Everything, in case a change was not told. */
  readonly all_ms: number
  /** If a reading takes longer, what is shown counts as stale. A failed reading is repeated after as long. */
  readonly patience_ms: number
  /** How long a working agent has to be silent before its diffstat is worked out. */
  readonly quiet_ms: number
  /** Least time between two diffstats of a working agent. */
  readonly diff_ms: number
  /** An agent that is never silent is looked at this often. */
  readonly restless_ms: number
  /** How long to wait before trying again what git has failed at. */
  readonly retry_ms: number
  /** Work that took git the time t is not repeated before this many times t. */
  readonly backoff: number
  /** After a key for an agent: work that would delay its echo, such as git, is not started for so long. */
  readonly hold_ms: number
  /** A person who never stops typing sees something new after so long all the same. */
  readonly longest_hold_ms: number
}

export const USUAL_PACE: Pace = {
  active_ms: 2_000,
  all_ms: 15_000,
  patience_ms: 2_000,
  quiet_ms: 1_500,
  diff_ms: 5_000,
  restless_ms: 20_000,
  retry_ms: 30_000,
  backoff: 20,
  hold_ms: 300,
  longest_hold_ms: 10_000,
}
