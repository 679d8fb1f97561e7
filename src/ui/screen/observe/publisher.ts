// Holds the current snapshot and tells of a new one, many changes at once: a flood of records is drawn twenty times a
// second at most.

import { EMPTY_SNAPSHOT, type Snapshot } from './snapshot.ts'

const LEAST_BETWEEN_MS = 50

export interface Publisher {
  snapshot(): Snapshot
  onChange(listener: (snapshot: Snapshot) => void): () => void
  /** Something may have changed. */
  touch(): void
  close(): void
}

/** `derive` returns what it was given if nothing has changed. */
export function createPublisher(derive: (before: Snapshot) => Snapshot): Publisher {
  const listeners = new Set<(snapshot: Snapshot) => void>()
  let snapshot = EMPTY_SNAPSHOT
  let timer: NodeJS.Timeout | null = null
  let told = Number.NEGATIVE_INFINITY
  let closed = false
  const publish = (): void => {
    timer = null
    const next = derive(snapshot)
    if (next === snapshot) return
    snapshot = next
    told = performance.now()
    for (const listener of listeners) listener(snapshot)
  }
  return {
    snapshot: () => snapshot,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    touch: () => {
      if (!closed) timer ??= setTimeout(publish, Math.max(0, told + LEAST_BETWEEN_MS - performance.now()))
    },
    close: () => {
      closed = true
      if (timer !== null) clearTimeout(timer)
      listeners.clear()
    },
  }
}
