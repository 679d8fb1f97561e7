// Starts programs for a process that may stay open all day, such as the dashboard.

import { spawnHere } from '../core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../core/doors/spawner/spawner.ts'

/** Milliseconds until the first frame has been drawn. It need not wait for the spawner to start. */
const DRAWN = 400

/**
 * At first this process starts programs itself, and soon a small process does it: starting them from a large process
 * takes longer. `spawnerEntry` is the path of its bundle.
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
