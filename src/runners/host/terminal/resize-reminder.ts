// A program that is just starting misses that its terminal has changed its size: what it has drawn is cut off, and it
// draws nothing more until a key is pressed. So if nothing is drawn after a change, the program is told once more.

import type { TerminalSize } from '../../../core/doors/spawner/open-terminal.ts'

export interface ResizeReminder {
  resized(size: TerminalSize): void
  /** The program has drawn something. */
  drawn(): void
  /** The program has ended: no more reminders. */
  stop(): void
}

/** Milliseconds in which a program that knows of the change draws something. */
const PATIENCE = 500

/** The kernel only tells of changes, so the terminal gets another size for a moment. */
export function remindOfSize(
  first: TerminalSize,
  resize: (columns: number, rows: number) => void,
): ResizeReminder {
  let known = first
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(timer)
  return {
    resized: ({ columns, rows }) => {
      if (columns === known.columns && rows === known.rows) return
      known = { columns, rows }
      stop()
      timer = setTimeout(() => {
        resize(columns, rows === 1 ? 2 : rows - 1)
        resize(columns, rows)
      }, PATIENCE)
    },
    drawn: stop,
    stop,
  }
}
