// Joins the three parts: the real doors, the person's configuration and runners, and the core.

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Effects } from '../core/doors/effects.ts'
import { spawnHere } from '../core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../core/doors/spawner/spawner.ts'
import { realPathOf } from '../core/doors/system/files.ts'
import { systemProcesses } from '../core/doors/system/processes.ts'
import { systemClock } from '../core/doors/system/system-clock.ts'
import { watchDirectory } from '../core/doors/system/watch-directory.ts'
import type { AgencyOptions } from '../core/facade/open-context.ts'
import type { HostDoor } from '../core/model/runner.ts'
import { dataDirectory } from '../core/store/paths.ts'
import { loadConfig } from '../core/store/read-config.ts'
import { environmentCatalog } from '../runners/environments/catalog.ts'
import { hostDoor } from '../runners/host-client/host-door.ts'
import { runnerCatalog } from '../runners/registry.ts'

export interface ProgramPlace {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Path of the built host program, which lies beside the built command line. */
  readonly hostEntry: string
  /** Starts git. Without one, this process does it itself. */
  readonly spawner?: Spawner | null
}

/** What a facade is created from, the whole one or a part of it. Throws E_CONFIG_INVALID. */
export const compose = ({ cwd, env, hostEntry, spawner = null }: ProgramPlace): AgencyOptions => ({
  cwd,
  effects: systemEffects(env, hostDoor(hostEntry), spawner ?? spawnHere),
  configOf: (repositoryRoot) => loadConfig(env, repositoryRoot),
})

function systemEffects(env: NodeJS.ProcessEnv, hosts: HostDoor, spawner: Spawner): Effects {
  const own = loadConfig(env, null)
  // The real path from the beginning, because every path on record, and every proof that a path is ours, builds on it.
  const dataDir = realPathOf(resolve(dataDirectory(env)))
  return {
    clock: systemClock,
    spawner,
    processes: systemProcesses(),
    hosts,
    runners: runnerCatalog(own),
    environments: environmentCatalog({ rows: own.environments, machine: { env, data_dir: dataDir } }),
    watchDirectory,
    random: () => randomBytes(2),
    onStep: () => {},
    env,
    dataDir,
  }
}
