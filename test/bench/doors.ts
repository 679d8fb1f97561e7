// The doors of an operation that is measured in process: real git and files, no hosts and no runners, and nothing is
// deleted, since that would slow the disk for what is measured next.

import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/core/effects/clock.ts'
import type { Effects } from '../../src/core/effects/effects.ts'
import { systemProcesses } from '../../src/core/effects/processes.ts'
import { watchDirectory } from '../../src/core/effects/watch-directory.ts'

export function benchEffects(dataDir: string): Effects {
  const closed = (): never => {
    throw new Error('this door is closed in this bench')
  }
  return {
    clock: systemClock,
    processes: { ...systemProcesses(), deleteLater: () => {} },
    hosts: { spawn: closed, end: closed, send: closed, attach: closed },
    runners: { names: [], get: closed },
    watchDirectory,
    random: () => randomBytes(2),
    onStep: () => {},
    env: process.env,
    dataDir,
  }
}
