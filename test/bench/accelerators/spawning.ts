// Measures for how long a process as large as a dashboard hears no keys while it starts git.

import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawnHere } from '../../../src/core/doors/spawner/local-spawner.ts'
import { remoteSpawner } from '../../../src/core/doors/spawner/remote-spawner.ts'
import type { Spawner, SpawnRequest } from '../../../src/core/doors/spawner/spawner.ts'
import type { BenchRow } from '../bench.ts'
import { inTurns, LEAST_OF_AN_ECHO_MS, rowOf } from './in-turns.ts'

const ROUNDS = 200
/** Roughly what a dashboard with four terminals has in memory. */
const HELD_BYTES = 80 * 1024 * 1024
const GIT: SpawnRequest = {
  ...{ file: 'git', args: ['--version'], cwd: '/', detached: false, input: false },
  env: { PATH: process.env['PATH'] ?? '' },
}

export async function benchSpawning(): Promise<BenchRow[]> {
  const held = Buffer.alloc(HELD_BYTES, 1)
  const remote = remoteSpawner(resolve('dist/spawner.js'))
  await delay(1000)
  const block = (spawner: Spawner) => async (): Promise<number> => {
    const began = performance.now()
    const { ended } = spawner(GIT)
    const took = performance.now() - began
    await ended
    await delay(5)
    return took
  }
  const [built = [], here = []] = await inTurns(ROUNDS, [block(remote), block(spawnHere)])
  if (held.length !== HELD_BYTES) throw new Error('nothing was held')
  return [
    rowOf({
      accelerator: 'the spawner',
      what: 'deaf while git is started',
      with: built,
      without: here,
      enough_ms: LEAST_OF_AN_ECHO_MS,
    }),
  ]
}
