// The doors of an operation that is measured in this process. git and files are real, but there are no hosts and no
// runners. Nothing is deleted, because that would slow the disk for what is measured next.

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effects } from '../../src/core/doors/effects.ts'
import { spawnHere } from '../../src/core/doors/spawner/local-spawner.ts'
import { remoteSpawner } from '../../src/core/doors/spawner/remote-spawner.ts'
import { runProcess } from '../../src/core/doors/spawner/run-process.ts'
import type { Spawner } from '../../src/core/doors/spawner/spawner.ts'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import { systemClock } from '../../src/core/doors/system/system-clock.ts'
import { watchDirectory } from '../../src/core/doors/system/watch-directory.ts'

export function benchEffects(dataDir: string, spawner: Spawner = spawnHere): Effects {
  const closed = (): never => {
    throw new Error('this door is closed in this bench')
  }
  return {
    clock: systemClock,
    spawner,
    processes: { ...systemProcesses(), deleteLater: () => {} },
    hosts: { boot: closed, end: closed, send: closed, attach: closed },
    runners: { names: [], get: closed },
    environments: { names: [], get: closed, of: closed },
    watchDirectory,
    random: () => randomBytes(2),
    onStep: () => {},
    env: process.env,
    dataDir,
  }
}

/** A spawner that is up: a small process that starts git, as it does for the dashboard. */
export async function readySpawner(): Promise<Spawner> {
  const spawner = remoteSpawner(resolve('dist/spawner.js'))
  const parent = async (): Promise<number> => {
    const asked = runProcess('/bin/sh', ['-c', 'echo $PPID'], { spawner, cwd: '/', env: {} })
    return Number((await asked).stdout.toString('utf8'))
  }
  while ((await parent()) === process.pid) await delay(10)
  return spawner
}
