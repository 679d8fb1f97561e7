// `git gc --prune=now` deletes every object that no ref held when it began, even one that somebody is about to put a
// ref on. So whoever has just put a ref on something waits for that gc to end, and then checks that everything is still
// there.

import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../effects.ts'
import { isErrno, readTextIfRegular } from '../system/files.ts'

/** Milliseconds. Not for ever, because an agent can write the file that says that a gc is running. */
const PATIENCE = 20_000
const LOOK_AGAIN = 20

/** Resolves when no gc is running, or when patience has run out. */
export async function awaitCollector(commonDir: string, clock: Clock): Promise<void> {
  for (let waited = 0; waited < PATIENCE && isCollecting(commonDir); waited += LOOK_AGAIN) {
    await clock.sleep(LOOK_AGAIN)
  }
}

/** gc's own lock file: a pid and the name of the machine. */
function isCollecting(commonDir: string): boolean {
  const [pid = '', machine] = (readTextIfRegular(join(commonDir, 'gc.pid')) ?? '').split(' ')
  return /^[1-9]\d*$/.test(pid) && machine?.trim() === hostname() && isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
