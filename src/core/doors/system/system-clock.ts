// The time of day and waiting, as a door, so that a test can stop the clock.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../effects.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => sleep(milliseconds),
}
