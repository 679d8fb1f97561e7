// Cuts long work into slices, because the one thread that does it also reads the keys. A worker thread was measured: it
// takes twice as long, and unpacking its answer stops this thread for longer than a slice.

import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 8

/** Returns a function to await between two steps: once a slice is used up, it lets everything else have its turn. */
export function createSlices(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await setImmediate()
    begun = performance.now()
  }
}

/** The items that fit, found in slices. */
export async function selectInSlices<T>(items: readonly T[], fits: (item: T) => boolean): Promise<T[]> {
  const slice = createSlices()
  const found: T[] = []
  for (const item of items) {
    if (fits(item)) found.push(item)
    await slice()
  }
  return found
}
