// Says when a checkpoint is due. Pure: it is told what happened and when, and asked what to do. Times are milliseconds
// of one clock.

import type { CheckpointSettings } from '../../../core/model/checkpoint-settings.ts'
import { holdAfterKey, NO_HOLD } from '../../../core/model/hold.ts'

export interface Due {
  readonly reason: 'quiet' | 'interval' | 'turn'
  readonly turn: number | null
  /** The whole tree is to be looked at, whatever the watcher has told. */
  readonly whole: boolean
}

export interface Schedule {
  /** Files changed. */
  changed(at: number): void
  /** The runner's turn ended. */
  turnEnded(at: number): void
  /**
   * A key was pressed. What can wait is put off until the person rests. The end of a turn cannot wait, because the
   * next turn changes files.
   */
  typed(at: number): void
  /** Whether somebody is typing. */
  isHeld(at: number): boolean
  /** Whether changes are told at all. If not, the tree is looked at in intervals. */
  watched(yes: boolean, at: number): void
  /** What has to be done now; null: nothing yet. */
  due(at: number): Due | null
  /** It is being done. What is told from now on counts for the next one. */
  began(due: Due, at: number): void
  /** When to ask again; null: not before something is told. */
  next(): number | null
}

/** Milliseconds for which a watcher is trusted. Then the whole tree is compared with what it has told. */
export const TRUST = 10 * 60_000

/** Milliseconds after a turn's end in which its last edits are still being told. */
export const SETTLE_MS = 600

export const HOLD = { hold_ms: 300, longest_hold_ms: 5000 }

type CheckpointPace = Pick<
  CheckpointSettings,
  'on_turn' | 'quiet_seconds' | 'least_seconds' | 'interval_seconds'
>

export function createSchedule(settings: CheckpointPace, start: number): Schedule {
  const quiet = settings.quiet_seconds * 1000
  const least = settings.least_seconds * 1000
  const interval = settings.interval_seconds * 1000
  let firstChange: number | null = null
  let lastChange = start
  let last = start - least
  let lastWhole = start
  let isWatched = false
  let turns = 0
  let turnAt = Infinity
  let hold = NO_HOLD

  /** When each kind is due; Infinity: not at all. */
  const quietAt = (): number => (firstChange === null ? Infinity : Math.max(lastChange + quiet, last + least))
  const steadyAt = (): number => (firstChange === null ? Infinity : Math.max(firstChange, last) + interval)
  const blindAt = (): number => (isWatched ? Infinity : Math.max(last, start) + interval)
  const isReached =
    (at: number): ((time: number) => boolean) =>
    (time) =>
      time <= at

  return {
    changed: (at) => {
      firstChange ??= at
      lastChange = at
    },
    turnEnded: (at) => {
      turns += 1
      if (settings.on_turn) turnAt = at + SETTLE_MS
    },
    typed: (at) => {
      hold = holdAfterKey(hold, at, HOLD)
    },
    isHeld: (at) => at < hold.until,
    watched: (yes) => {
      isWatched = yes
    },
    due: (at) => {
      const reached = isReached(at)
      const whole = !isWatched || (firstChange !== null && at - lastWhole >= TRUST)
      if (reached(turnAt)) return { reason: 'turn', turn: turns, whole }
      if (at < hold.until) return null
      if (reached(quietAt())) return { reason: 'quiet', turn: null, whole }
      if (reached(steadyAt()) || reached(blindAt())) return { reason: 'interval', turn: null, whole }
      return null
    },
    began: ({ whole, reason }, at) => {
      last = at
      if (whole) lastWhole = at
      if (reason === 'turn') turnAt = Infinity
      firstChange = null
    },
    next: () => {
      const rested = Math.max(Math.min(quietAt(), steadyAt(), blindAt()), hold.until)
      const soonest = Math.min(rested, turnAt)
      return Number.isFinite(soonest) ? soonest : null
    },
  }
}
