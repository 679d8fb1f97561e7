// How often the dashboard looks at what. Tests hurry it.

export interface Pace {
  /** Invocations that run: their logs' times, their hosts. */
  readonly active_ms: number
  /** Everything, in case a change was not told. */
  readonly all_ms: number
  /** A reading that takes longer makes what is shown stale; one that failed is repeated after as long. */
  readonly patience_ms: number
  /** Silence after which a working agent's diffstat is worth working out. */
  readonly quiet_ms: number
  /** Least time between two diffstats of a working agent. */
  readonly diff_ms: number
  /** One that is never silent has to be looked at in between. */
  readonly restless_ms: number
  /** A failure of git is tried again after it. */
  readonly retry_ms: number
  /** Work of git that took t is not repeated before t times this. */
  readonly backoff: number
  /** After a key for an agent: what would take the machine from its echo, as git, begins not yet. */
  readonly hold_ms: number
  /** Who never stops typing sees something new all the same. */
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
