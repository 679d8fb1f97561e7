// When to let a terminal's output gather before more of it is read. A program that writes one word, or one frame, at a
// time would wake everything that reads it, here and in the dashboard, for each of them. Output after a silence, or
// soon after a key, is read at once. Output that keeps coming in small pieces may gather for longer and longer.

export interface ReadingPace {
  /** Tells how much was just read. Returns for how many milliseconds nothing should be read. */
  read(length: number): number
  /** A key was pressed, so somebody waits for what comes. */
  typed(): void
}

/** Milliseconds of the first rest. Each rest is twice the one before, up to the longest: fifteen reads a second. */
const FIRST = 4
const LONGEST = 64
/** The longest rest while somebody is at the keyboard: as many reads as there are frames. */
const LONGEST_AT_KEYS = 16
/** Milliseconds without output after which new output is read at once. */
const SILENCE = 2 * LONGEST
/** Bytes that are worth a read of their own. The kernel keeps a few times as many before the program has to wait. */
const MUCH = 1 << 14
/** Milliseconds after a key in which its echo comes. The first reads in that time are never late. */
const ECHO = 100
const ECHO_READS = 8
/** Milliseconds after a key in which somebody counts as being at the keyboard. */
const AT_KEYS = 1000

export function createReadingPace(now: () => number): ReadingPace {
  let last = Number.NEGATIVE_INFINITY
  let key = Number.NEGATIVE_INFINITY
  let rest = 0
  let echoes = 0
  return {
    read: (length) => {
      const at = now()
      const echo = at - key <= ECHO && echoes-- > 0
      const flows = at - last < SILENCE && length < MUCH && !echo
      const longest = at - key > AT_KEYS ? LONGEST : LONGEST_AT_KEYS
      last = at
      rest = flows ? Math.min(longest, Math.max(FIRST, rest * 2)) : 0
      return rest
    },
    typed: () => {
      key = now()
      echoes = ECHO_READS
    },
  }
}
