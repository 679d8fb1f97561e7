// Long work on the one thread that also reads the keys, cut into slices that nobody feels. Measured against a worker
// thread, which needs twice the time for it and stops this thread for longer when its answer is unpacked.

import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 8

/** To be awaited between two steps: lets everything else that waits have its turn where a slice has been used up. */
export function createSlices(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await setImmediate()
    begun = performance.now()
  }
}

/** Those that fit, found in slices. */
export async function selectInSlices<T>(items: readonly T[], fits: (item: T) => boolean): Promise<T[]> {
  const slice = createSlices()
  const found: T[] = []
  for (const item of items) {
    if (fits(item)) found.push(item)
    await slice()
  }
  return found
}
