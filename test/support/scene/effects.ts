// Doors for operations that need neither hosts nor runners. git is real, but no agent's process is ever found.

import { mkdirSync, rmSync } from 'node:fs'
import type { Effects } from '../../../src/core/doors/effects.ts'
import { spawnHere } from '../../../src/core/doors/spawner/local-spawner.ts'
import { watchDirectory } from '../../../src/core/doors/system/watch-directory.ts'
import { environmentCatalog } from '../../../src/runners/environments/catalog.ts'

/** The clock moves on by one second each time it is read. `onStep` is called with each step. */
export function makeEffects(dataDir: string, onStep: (step: string) => void = () => {}): Effects {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  let seconds = 0
  let random = 0
  const closed = (): never => {
    throw new Error('this door is closed in this test')
  }
  return {
    spawner: spawnHere,
    clock: {
      now: () => new Date(Date.UTC(2026, 0, 28, 12) + 1000 * seconds++),
      elapsed: () => performance.now(),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
    },
    processes: {
      self: { pid: process.pid, start_time: 'test' },
      identityOf: () => null,
      titleOf: () => null,
      titled: () => [],
      familyOf: (identity) => [identity],
      isAlive: (identity) => identity.pid === process.pid,
      holderOf: () => null,
      ofInvocation: async () => [],
      signal: closed,
      deleteLater: (path) => rmSync(path, { recursive: true, force: true }),
    },
    hosts: { boot: closed, end: closed, send: closed, attach: closed },
    runners: { names: [], get: closed },
    environments: environmentCatalog(),
    watchDirectory,
    random: () => {
      random += 1
      return Uint8Array.of(random >> 8, random & 0xff)
    },
    onStep,
    env: process.env,
    dataDir,
  }
}
