// A repository, a data directory and real doors, with two exceptions: hosts are written down instead of spawned, and
// any step of a verb can be made to fail.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Effects } from '../../../src/core/doors/effects.ts'
import { spawnHere } from '../../../src/core/doors/spawner/local-spawner.ts'
import { systemProcesses } from '../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../src/core/doors/system/system-clock.ts'
import { watchDirectory } from '../../../src/core/doors/system/watch-directory.ts'
import { AgencyError } from '../../../src/core/model/errors.ts'
import type { HostDoor, HostLaunch, Runner, RunnerCatalog } from '../../../src/core/model/runner.ts'
import { openRepository, type Repository } from '../../../src/core/store/repository.ts'
import { environmentCatalog } from '../../../src/runners/environments/catalog.ts'
import { makeRepository, makeScratch } from '../git/repository.ts'

export interface World {
  readonly scratch: string
  readonly root: string
  readonly effects: Effects
  readonly repository: Repository
  /** What hosts were told to run, in order. */
  readonly launches: readonly HostLaunch[]
  /** Names of the steps that were begun, in order. */
  readonly steps: readonly string[]
  /** From now on the n-th step (0 is the next one) throws; null lets all steps pass. */
  failAt(step: number | null): void
}

export async function makeWorld(files?: Readonly<Record<string, string>>): Promise<World> {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'repo'), files)
  const launches: HostLaunch[] = []
  const steps: string[] = []
  let fuse: number | null = null
  const effects: Effects = {
    clock: systemClock,
    spawner: spawnHere,
    processes: systemProcesses(),
    hosts: writtenDownHosts(launches),
    runners: twoRunners,
    environments: environmentCatalog(),
    watchDirectory,
    random: () => randomBytes(2),
    onStep: (step) => {
      steps.push(step)
      if (fuse !== null && fuse-- === 0) throw new AgencyError('E_INTERNAL', `the test stopped at: ${step}`)
    },
    env: process.env,
    dataDir: join(scratch, 'data'),
  }
  return {
    scratch,
    root,
    effects,
    repository: await openRepository(effects, root),
    launches,
    steps,
    failAt: (step) => {
      fuse = step
    },
  }
}

function writtenDownHosts(launches: HostLaunch[]): HostDoor {
  const gone = async (): Promise<never> => {
    throw new AgencyError('E_HOST_GONE')
  }
  return {
    boot: async () => {
      const prepared: HostLaunch[] = []
      return {
        pid: process.pid,
        prepare: (launch) => void prepared.push(launch),
        launch: async () => void launches.push(...prepared),
        abandon: () => {},
      }
    },
    end: gone,
    send: gone,
    attach: gone,
  }
}

const shell: Runner = {
  name: 'shell',
  title: 'Shell',
  modes: ['headed', 'headless'],
  stream_format: 'text',
  models: {},
  takes_model: false,
  permissions: [],
  probe: async () => ({ state: 'ready', executable: '/bin/sh', version: null }),
  planLaunch: (request, executable) => ({
    argv: [executable, '-c', request.prompt ?? ''],
    env: {},
    stdin: null,
    runner_session_id: null,
  }),
}

/** Keeps sessions, as the real agents do: `talker --session ID PROMPT`, `talker --resume ID PROMPT`. */
const talker: Runner = {
  ...shell,
  name: 'talker',
  title: 'Talker',
  planLaunch: ({ new_session_id, resume_session_id, prompt }, executable) => ({
    argv: [
      executable,
      resume_session_id === null ? '--session' : '--resume',
      resume_session_id ?? new_session_id,
      prompt ?? '',
    ],
    env: {},
    stdin: null,
    runner_session_id: resume_session_id ?? new_session_id,
  }),
}

const twoRunners: RunnerCatalog = {
  names: ['shell', 'talker'],
  get: (name) => {
    if (name === 'shell') return shell
    if (name === 'talker') return talker
    throw new AgencyError('E_RUNNER_UNKNOWN', `there is no runner '${name}'`)
  },
}
