// The life of one invocation, from the launch to its outcome on record.

import { mkdirSync } from 'node:fs'
import { systemClock } from '../../core/effects/clock.ts'
import { DIR_MODE } from '../../core/effects/files.ts'
import { systemProcesses } from '../../core/effects/processes.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { HostLaunch } from '../../core/model/runner.ts'
import { readInvocation } from '../../core/store/invocations.ts'
import { type RepoPaths, repoPaths } from '../../core/store/paths.ts'
import { writeReportedStatus } from '../../core/store/reported-status.ts'
import { type Checkpointing, startCheckpointing } from './checkpointing.ts'
import { createEnding, type Ending } from './ending.ts'
import { startHeadless } from './headless.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { sendComplaintsTo } from './own-stdio.ts'
import { runnerEnvironment } from './runner-environment.ts'
import type { Running } from './running.ts'
import { socketPath } from './runtime-dir.ts'
import { type CheckedSandbox, checkSandbox } from './sandbox-check.ts'
import { type HostServer, startServer } from './server.ts'

export interface LiveHost {
  readonly ending: Ending
  /** The outcome is on record and the socket is gone. */
  readonly done: Promise<void>
}

/** Resolves when the runner runs and the record says so. Throws, with nothing left running, where it cannot. */
export async function startHost(launch: HostLaunch): Promise<LiveHost> {
  const processes = systemProcesses()
  const paths = repoPaths(launch.data_dir, launch.repo_id)
  const sandbox = prepareSandbox(launch, paths)
  const ledger = openLedger(launch, { paths, processes, clock: systemClock })
  const ending = createEnding({
    processes,
    clock: systemClock,
    invocationId: launch.invocation_id,
    sandbox: sandbox.path,
    headed: launch.mode === 'headed',
  })
  const checkpointing = startCheckpointing(launch, { paths, processes, clock: systemClock })
  const path = socketPath(process.env, launch.repo_id, launch.invocation_id)
  const running = await startRunner(launch, { paths, sandbox, ledger, checkpointing })
  try {
    const server = await startServer({ path, terminal: running.terminal, end: ending.request })
    await ledger.started({ ...processes.self, socket_path: path }, running.pid)
    return { ending, done: liveOn(running, { ending, ledger, server, checkpointing }) }
  } catch (error) {
    ending.settle()
    await ending.request('kill')
    await checkpointing.close()
    throw error
  }
}

/** The record must be waiting for exactly this: a second host for it would run a second agent in the same tree. */
function prepareSandbox(launch: HostLaunch, paths: RepoPaths): CheckedSandbox {
  const record = readInvocation(paths, launch.invocation_id)
  if (record.status !== 'starting') {
    throw new AgencyError('E_HOST_FAILED', `${record.invocation_id} is ${record.status}, not starting`)
  }
  const sandbox = checkSandbox(paths, record)
  const { logsDir, hostLog } = paths.invocation(launch.invocation_id)
  mkdirSync(logsDir, { recursive: true, mode: DIR_MODE })
  sendComplaintsTo(hostLog)
  return sandbox
}

interface Place {
  readonly paths: RepoPaths
  readonly sandbox: CheckedSandbox
  readonly ledger: Ledger
  readonly checkpointing: Checkpointing
}

async function startRunner(
  launch: HostLaunch,
  { paths, sandbox, ledger, checkpointing }: Place,
): Promise<Running> {
  const headed = launch.mode === 'headed'
  const start = headed ? (await import('./headed.ts')).startHeaded : startHeadless
  return start({
    launch,
    paths: paths.invocation(launch.invocation_id),
    cwd: sandbox.cwd,
    env: runnerEnvironment(process.env, {
      invocationId: launch.invocation_id,
      sandboxPath: sandbox.path,
      planned: launch.plan.env,
      headed,
    }),
    now: () => systemClock.now(),
    onLost: ledger.lost,
    onSession: ledger.session,
    onTurnEnd: checkpointing.turnEnded,
    onTyped: checkpointing.typed,
    keepStatus: (status) => writeReportedStatus(paths, launch.invocation_id, status),
  })
}

interface Company {
  readonly ending: Ending
  readonly ledger: Ledger
  readonly server: HostServer
  readonly checkpointing: Checkpointing
}

/** Milliseconds that the record waits for the last checkpoint; it is finished in any case. */
const EXIT_PATIENCE = 5000

/** Logs are whole and closed before the record says that the run has ended. */
async function liveOn(running: Running, { ending, ledger, server, checkpointing }: Company): Promise<void> {
  const exit = await running.exited
  const left_behind = await ending.sweep()
  await running.drain()
  const last = checkpointing.finish()
  await Promise.race([last, systemClock.sleep(EXIT_PATIENCE)])
  const last_output_at = running.lastOutputAt()
  await ledger.ended({ ...exit, ...running.verdict(), asked: ending.asked(), last_output_at, left_behind })
  ending.settle()
  await last
  await server.close(exit)
  await checkpointing.close()
}
