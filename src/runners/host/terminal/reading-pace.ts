// Says how long a terminal's output should gather before more of it is read. A program may write a word or a frame at a
// time, and each would wake its readers, here and in the dashboard. Output after a silence, or soon after a key, is
// read at once. What goes on coming in small pieces gathers for longer and longer, but never makes the program wait.

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
/**
 * The most bytes that one read of a terminal gives. After a read of that size the kernel may hold more, because it
 * passes a flood on in pieces. So two such reads after a rest can still be the beginning of a flood.
 */
export const WHOLE_READ = 4095
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
      const next = length < WHOLE_READ ? rest * 2 : rest / 2
      rest = flows ? Math.min(longest, Math.max(FIRST, next)) : 0
      return rest
    },
    typed: () => {
      key = now()
      echoes = ECHO_READS
    },
  }
}
