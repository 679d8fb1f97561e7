// Work that comes again and again, and that can wait while somebody types: it would make a key wait.

export interface Repetition {
  /** Milliseconds from one time to the next. */
  readonly every: () => number
  /** Milliseconds since the epoch; in the past while nobody types. */
  readonly heldUntil: () => number
  readonly work: () => void
}

/** Returns what ends it. */
export function repeatUnheld({ every, heldUntil, work }: Repetition): () => void {
  let timer: NodeJS.Timeout
  let ended = false
  const wait = (ms: number): void => {
    if (!ended) timer = setTimeout(come, ms).unref()
  }
  const come = (): void => {
    const held = heldUntil() - Date.now()
    if (held <= 0) work()
    wait(held > 0 ? held : every())
  }
  wait(every())
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
