// `git gc --prune=now` deletes every object that no ref held when it began to look, also those that somebody is about to
// put a ref on. Whoever has just put one there waits for it to end, and then looks whether all is still there.

import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../effects.ts'
import { isErrno, readTextIfThere } from '../system/files.ts'

/** Milliseconds: an agent can write the file that says so. */
const PATIENCE = 20_000
const LOOK_AGAIN = 20

/** Resolves when no collection of garbage is at work, or after a while. */
export async function awaitCollector(commonDir: string, clock: Clock): Promise<void> {
  for (let waited = 0; waited < PATIENCE && isCollecting(commonDir); waited += LOOK_AGAIN) {
    await clock.sleep(LOOK_AGAIN)
  }
}

/** git's own lock for it: a pid and the name of the machine. */
function isCollecting(commonDir: string): boolean {
  const [pid = '', machine] = (readTextIfThere(join(commonDir, 'gc.pid')) ?? '').split(' ')
  return /^[1-9]\d*$/.test(pid) && machine?.trim() === hostname() && isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
