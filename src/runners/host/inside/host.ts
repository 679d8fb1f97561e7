// The life of one invocation, from the launch to its outcome on record.

import { mkdirSync } from 'node:fs'
import type { Processes } from '../../../core/doors/effects.ts'
import type { Exec } from '../../../core/doors/spawner/exec.ts'
import { DIR_MODE } from '../../../core/doors/system/files.ts'
import { systemProcesses } from '../../../core/doors/system/processes.ts'
import { systemClock } from '../../../core/doors/system/system-clock.ts'
import type { Environment } from '../../../core/model/environment.ts'
import type { ProofLine } from '../../../core/model/environment-catalog.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import type { HostLaunch } from '../../../core/model/runner.ts'
import { readInvocation } from '../../../core/store/invocations.ts'
import { writeReportedStatus } from '../../../core/store/noted-status.ts'
import { type RepoPaths, repoPaths } from '../../../core/store/paths.ts'
import type { Box, OpenBox } from '../../environments/box.ts'
import type { Platform } from '../../environments/platform.ts'
import { type FoundPrimitives, findPrimitives, type Primitives } from '../../environments/primitives.ts'
import { type Checkpointing, startCheckpointing } from '../checkpoints/checkpointing.ts'
import { socketPath } from '../socket/runtime-dir.ts'
import { type HostServer, startServer } from '../socket/server.ts'
import { boxPlaceOf } from './box-place.ts'
import { createEnding, type Ending } from './ending.ts'
import { prepareHeadless } from './headless.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { sendComplaintsTo } from './own-stdio.ts'
import { openSetup, type Setup } from './run-setup.ts'
import { runnerEnvironment } from './runner-environment.ts'
import type { Running, RunOptions } from './running.ts'
import { type CheckedSandbox, checkSandbox } from './sandbox-check.ts'

export interface LiveHost {
  readonly ending: Ending
  /** Resolves when the outcome is on record and the socket is gone. */
  readonly done: Promise<void>
}

/** Resolves when the runner runs and the record says so. If it throws, nothing is left running. */
export type StartHost = () => Promise<LiveHost>

/** Does all that can be done while the sandbox is still being made. Touches nothing in the sandbox. */
export async function prepareHost(launch: HostLaunch, primitives: Primitives): Promise<StartHost> {
  const paths = repoPaths(launch.data_dir, launch.repo_id)
  const { environment } = readInvocation(paths, launch.invocation_id)
  const found = findPrimitives(primitives, environment)
  const path = socketPath(process.env, launch.repo_id, launch.invocation_id)
  const run = await prepareRunner(launch, found.platform, path)
  const ready: ReadyHost = { ...found, environment, paths, path, processes: systemProcesses(), run }
  return () => startHost(launch, ready)
}

type StartRunner = (options: RunOptions) => Promise<Running>

const prepareRunner = async ({ mode }: HostLaunch, platform: Platform, path: string): Promise<StartRunner> =>
  mode === 'headed' ? (await import('./headed.ts')).prepareHeaded(platform) : prepareHeadless(platform, path)

interface ReadyHost extends FoundPrimitives {
  readonly environment: Environment
  readonly paths: RepoPaths
  /** Path of the socket that will be made. */
  readonly path: string
  readonly processes: Processes
  readonly run: StartRunner
}

/** The box stays open while anything runs in it, and is closed however that ends. */
async function startHost(launch: HostLaunch, ready: ReadyHost): Promise<LiveHost> {
  const { record, sandbox } = checkPlace(launch, ready.paths)
  const place = boxPlaceOf(launch, {
    paths: ready.paths,
    record,
    sandbox_path: sandbox.path,
    socket_path: ready.path,
  })
  const open = await ready.box.open(place)
  try {
    requireProof(await open.prove())
    const { ending, done } = await startInside(launch, ready, { sandbox, open })
    return { ending, done: done.finally(() => open.close()) }
  } catch (error) {
    // The first error is the one to report.
    await open.close().catch((later: unknown) => console.error(later))
    throw error
  }
}

/** Nobody gets a weaker box than the one they asked for. Throws E_BOX_UNPROVED. */
function requireProof(lines: readonly ProofLine[]): void {
  const broken = lines.filter(({ held }) => !held)
  if (broken.length === 0) return
  const words = broken.map(({ attempt, must }) =>
    must === 'fail' ? `could ${attempt}` : `could not ${attempt}`,
  )
  throw new AgencyError('E_BOX_UNPROVED', `from inside of the box one ${words.join(', ')}`)
}

interface Inside {
  readonly sandbox: CheckedSandbox
  readonly open: OpenBox
}

async function startInside(
  launch: HostLaunch,
  ready: ReadyHost,
  { sandbox, open }: Inside,
): Promise<LiveHost> {
  const { platform, box, paths, path, processes, run, environment } = ready
  const ledger = openLedger(launch, { paths, processes, clock: systemClock })
  const ending = createEnding({
    processes: platform.processesOf({ invocation_id: launch.invocation_id, sandbox_path: sandbox.path }),
    clock: systemClock,
    headed: launch.mode === 'headed',
  })
  const checkpointing = startCheckpointing(launch, { paths, processes, clock: systemClock })
  try {
    const inside = planInside(launch, sandbox, box)
    const setup = openSetup(environment, {
      exec: inside,
      wrap: open.wrap,
      log: paths.invocation(launch.invocation_id).setupLog,
      onTeardownFailed: (message) => ledger.note({ kind: 'teardown_failed', message }),
    })
    await setup.before()
    const exec = open.wrap(inside)
    const running = await run(runOptions(launch, { paths, exec, ledger, checkpointing }))
    const server = await startServer({ path, terminal: running.terminal, end: ending.request })
    await ledger.started({ ...processes.self, socket_path: path }, running.pid)
    return { ending, done: liveOn(running, { ending, ledger, server, checkpointing, setup }) }
  } catch (error) {
    ending.settle()
    await ending.request('kill')
    await checkpointing.close()
    throw error
  }
}

interface CheckedPlace {
  readonly record: InvocationRecord
  readonly sandbox: CheckedSandbox
}

/** Checks that the record waits for this very host: a second host would run a second agent in the same tree. */
function checkPlace(launch: HostLaunch, paths: RepoPaths): CheckedPlace {
  const record = readInvocation(paths, launch.invocation_id)
  if (record.status !== 'starting') {
    throw new AgencyError('E_HOST_FAILED', `${record.invocation_id} is ${record.status}, not starting`)
  }
  const sandbox = checkSandbox(paths, record)
  const { logsDir, hostLog } = paths.invocation(launch.invocation_id)
  mkdirSync(logsDir, { recursive: true, mode: DIR_MODE })
  sendComplaintsTo(hostLog)
  return { record, sandbox }
}

interface HostPlace {
  readonly paths: RepoPaths
  readonly exec: Exec
  readonly ledger: Ledger
  readonly checkpointing: Checkpointing
}

/** `cwd` is our own way to the sandbox. The runner is told the path that the sandbox has inside the box. */
const planInside = ({ invocation_id, plan, mode }: HostLaunch, sandbox: CheckedSandbox, box: Box): Exec => ({
  argv: plan.argv,
  cwd: sandbox.cwd,
  env: runnerEnvironment(process.env, {
    invocationId: invocation_id,
    sandboxPath: box.inside(sandbox.path),
    planned: plan.env,
    headed: mode === 'headed',
  }),
})

function runOptions(launch: HostLaunch, { paths, exec, ledger, checkpointing }: HostPlace): RunOptions {
  return {
    launch,
    paths: paths.invocation(launch.invocation_id),
    exec,
    now: () => systemClock.now(),
    onLost: ledger.lost,
    onSession: ledger.session,
    onTurnEnd: checkpointing.turnEnded,
    onTyped: checkpointing.typed,
    keepStatus: (status) => writeReportedStatus(paths, launch.invocation_id, status),
  }
}

interface Company {
  readonly ending: Ending
  readonly ledger: Ledger
  readonly server: HostServer
  readonly checkpointing: Checkpointing
  readonly setup: Setup
}

/** Milliseconds that the record waits for the last checkpoint. The checkpoint is finished in any case. */
const EXIT_PATIENCE = 5000

/** The logs are complete and closed before the record says that the run has ended. */
async function liveOn(
  running: Running,
  { ending, ledger, server, checkpointing, setup }: Company,
): Promise<void> {
  const exit = await running.exited
  const left_behind = await ending.sweep()
  await setup.after()
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
