// The host's program: one for each invocation, detached from whatever started it. It is spawned early, boots and makes
// ready while the sandbox is made, starts the runner when told to, answers once, and lives as long as the runner.

import { loadWriter } from '../../core/doors/system/files.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { hostTitle } from '../../core/model/invocation.ts'
import { asOurError } from '../../core/model/system-failure.ts'
import { COMPILE_SOON, tuneV8 } from '../../core/v8/tune-v8.ts'
import { PRIMITIVES, type Primitives } from '../environments/primitives.ts'
import { prepareHost } from './inside/host.ts'
import { answer, readOrders } from './inside/own-stdio.ts'
import { parseLaunch } from './launch-message.ts'

/** Collect garbage early instead of growing, because every invocation has a host. */
const STAY_SMALL = ['--optimize-for-size', '--semi-space-growth-factor=1']

/** Resolves if nobody says what to run, or that it should start. Otherwise the process ends with its runner. */
export async function runHost(primitives: Primitives = PRIMITIVES): Promise<void> {
  // If a terminal is closed, or Ctrl-C is pressed in it, that must not reach the runner through its host.
  // A file that would be too large is told by an error too.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGXFSZ'] as const) process.on(signal, () => {})
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
    // A starter that has given up or died never sends the word.
    const { done: abandoned } = await orders.next()
    if (abandoned) return
    await orders.return()
    const started = start()
    // On log-out or shutdown it ends in order, so that the record tells the truth. That may come while it starts.
    process.on('SIGTERM', () => void started.then(({ ending }) => ending.request('stop')).catch(() => {}))
    const { done } = await started
    // An accident with one client or one write must not end the runner.
    process.on('uncaughtException', (error) => console.error(error))
    answer({ ok: true })
    await tuneV8(...STAY_SMALL, COMPILE_SOON)
    await done
    process.exit(0)
  } catch (cause) {
    const ours = asOurError(cause)
    const error =
      ours.code === 'E_INTERNAL'
        ? new AgencyError('E_HOST_FAILED', `the host failed: ${String(cause)}`, { cause })
        : ours
    answer({ ok: false, code: error.code, message: error.message, hint: error.hint })
    console.error(cause)
    process.exit(1)
  }
}
