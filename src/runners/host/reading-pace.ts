// When to let a terminal's output gather before more of it is read: a program that writes a word at a time would have
// all that reads it, here and in the dashboard, wake for each of them. What comes after a rest or soon after a key is
// read at once.

export interface ReadingPace {
  /** So much was read just now. Returns for how many milliseconds nothing should be. */
  read(length: number): number
  /** A key was pressed: somebody waits for what comes. */
  typed(): void
}

/** Milliseconds between two reads of a stream of words, and the rest that lets some of them gather. */
const QUICK = 3
const REST = 4
/** Bytes: not worth a read of their own. The kernel keeps many times what gathers meanwhile. */
const SMALL = 2048
/** Milliseconds after a key. */
const ATTENTION = 100

export function createReadingPace(now: () => number): ReadingPace {
  let last = Number.NEGATIVE_INFINITY
  let key = Number.NEGATIVE_INFINITY
  return {
    read: (length) => {
      const at = now()
      const quick = at - last < QUICK + REST
      last = at
      return quick && length < SMALL && at - key > ATTENTION ? REST : 0
    },
    typed: () => {
      key = now()
    },
  }
}
