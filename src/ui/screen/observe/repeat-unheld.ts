// Repeats work that can wait while somebody types, because it would make a key wait.

export interface Repetition {
  /** Milliseconds from one time to the next. */
  readonly every: () => number
  /** Milliseconds that it has to wait at least; 0 while nobody types. */
  readonly heldFor: () => number
  readonly work: () => void
}

/** Returns a function that ends it. */
export function repeatUnheld({ every, heldFor, work }: Repetition): () => void {
  let timer: NodeJS.Timeout
  let ended = false
  const wait = (ms: number): void => {
    if (!ended) timer = setTimeout(come, ms).unref()
  }
  const come = (): void => {
    const held = heldFor()
    if (held <= 0) work()
    wait(held > 0 ? held : every())
  }
  wait(every())
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
