// Whether another command is at work: what it has half done is not what a kill has left.

import { readHolder } from '../../doors/system/lock.ts'
import type { Repository } from '../../store/repository.ts'

export function isLockHeld({ paths, effects }: Repository): boolean {
  const holder = readHolder(paths.lock)
  return holder !== null && effects.processes.isAlive(holder)
}
