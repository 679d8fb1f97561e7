// What starts programs for a process that may stay open all day, as the dashboard does.

import { spawnHere } from '../core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../core/doors/spawner/spawner.ts'

/** Milliseconds until which the first frame is drawn, which need not wait for a spawner. */
const DRAWN = 400

/**
 * This process itself at first, and soon a small process of its own: from one that has grown it takes longer.
 * `spawnerEntry` is of its bundle.
 */
export function longLivedSpawner(spawnerEntry: string): Spawner {
  let spawner: Spawner = spawnHere
  const hand = async (): Promise<void> => {
    const { remoteSpawner } = await import('../core/doors/spawner/remote-spawner.ts')
    spawner = remoteSpawner(spawnerEntry)
  }
  setTimeout(() => void hand(), DRAWN).unref()
  return (request) => spawner(request)
}
