// Executes a launch plan as a host does, but without a host: what the runner says, how it ends, and how that is judged.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LaunchRequest, Runner, RunOutcome } from '../../src/core/model/runner.ts'
import type { StreamEvent } from '../../src/core/model/stream-event.ts'
import { deriveOutcome } from '../../src/runners/stream/outcome.ts'
import { endOf, readEvents as readRecorded } from '../support/runners/replay.ts'

export interface Run {
  readonly events: readonly StreamEvent[]
  readonly stderr: string
  readonly exit_code: number | null
  readonly exit_signal: string | null
  readonly outcome: RunOutcome
}

export interface RunOptions {
  readonly request: LaunchRequest
  readonly env: NodeJS.ProcessEnv
  /** When this resolves, the runner is asked to stop as Agency asks it. */
  readonly stopWhen?: Promise<void>
}

export async function runPlan(runner: Runner, { request, env, stopWhen }: RunOptions): Promise<Run> {
  const found = await runner.probe(env)
  if (found.state !== 'ready') throw new Error(`${found.message}; ${found.hint}`)
  const plan = runner.planLaunch(request, found.executable)
  const [file, ...args] = plan.argv
  const child = spawn(file, args, {
    cwd: request.sandbox_path,
    env: { ...env, ...plan.env },
    stdio: [plan.stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(plan.stdin)
  void stopWhen?.then(() => child.kill('SIGINT'))
  const closed = once(child, 'close')
  const [events, stderr] = await Promise.all([readEvents(child.stdout, runner), readText(child.stderr)])
  const [exitCode, exitSignal] = (await closed) as [number | null, string | null]
  const end = { exit_code: exitCode, exit_signal: exitSignal }
  const asked = stopWhen === undefined ? 'nothing' : 'stop'
  return { events, stderr, ...end, outcome: deriveOutcome(endOf(events, { ...end, asked })) }
}

async function readEvents(
  stdout: AsyncIterable<Buffer> | null,
  runner: Runner,
): Promise<readonly StreamEvent[]> {
  const chunks: Buffer[] = []
  for await (const chunk of stdout ?? []) chunks.push(chunk)
  return readRecorded(runner.stream_format, chunks)
}

async function readText(stream: AsyncIterable<Buffer> | null): Promise<string> {
  let text = ''
  for await (const chunk of stream ?? []) text += chunk.toString('utf8')
  return text
}
