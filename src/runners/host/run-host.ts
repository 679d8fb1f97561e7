// The host's program: one for each invocation, detached from whatever started it. It is spawned early, boots and makes
// ready while the sandbox is being made; told to go it answers once, and lives for as long as the runner does.

import { loadWriter } from '../../core/doors/system/files.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { hostTitle } from '../../core/model/invocation.ts'
import { COMPILE_SOON, tuneV8 } from '../../core/process/tune-v8.ts'
import { PRIMITIVES, type Primitives } from '../environments/primitives.ts'
import { prepareHost } from './inside/host.ts'
import { answer, readOrders } from './inside/own-stdio.ts'
import { parseLaunch } from './launch-message.ts'

/** Collect early instead of growing: there is a host for every invocation. */
const STAY_SMALL = ['--optimize-for-size', '--semi-space-growth-factor=1']

/** Resolves where nobody says what to run, or says to run it; else the process ends with the runner. */
export async function runHost(primitives: Primitives = PRIMITIVES): Promise<void> {
  // Closing a terminal or pressing Ctrl-C in it must not reach the runner by way of its host.
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => {})
  void loadWriter()
  const orders = readOrders()
  const { value: line } = await orders.next()
  if (line !== undefined) await runLaunch(line, orders, primitives)
}

async function runLaunch(
  launchLine: string,
  orders: AsyncGenerator<string, void>,
  primitives: Primitives,
): Promise<void> {
  try {
    const launch = parseLaunch(launchLine)
    process.title = hostTitle(launch.invocation_id)
    const start = await prepareHost(launch, primitives)
    // The starter that gave up, or died, never says it.
    const { done: abandoned } = await orders.next()
    if (abandoned) return
    await orders.return()
    const { ending, done } = await start()
    // An accident with one client or one write must not take the runner along.
    process.on('uncaughtException', (error) => console.error(error))
    // Log-out or shutdown: end in order, so that the record tells the truth.
    process.on('SIGTERM', () => void ending.request('stop'))
    answer({ ok: true })
    await tuneV8(...STAY_SMALL, COMPILE_SOON)
    await done
    process.exit(0)
  } catch (cause) {
    const error =
      cause instanceof AgencyError
        ? cause
        : new AgencyError('E_HOST_FAILED', `the host failed: ${String(cause)}`, { cause })
    answer({ ok: false, code: error.code, message: error.message, hint: error.hint })
    console.error(cause)
    process.exit(1)
  }
}
