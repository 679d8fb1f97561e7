// The built program at work with one of the real CLIs, which talks to the stand-in for its model.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LogPaths } from '../../src/core/facade/agency.ts'
import type { StreamEvent } from '../../src/core/model/stream-event.ts'
import { makeRepository, makeScratch } from '../support/git/repository.ts'
import { type Desk, type InvocationData, type Ran, sitDown } from '../support/processes/cli.ts'
import { processesWith } from '../support/processes/processes.ts'
import { waitUntil } from '../support/run/wait.ts'
import type { MockLlm } from './mock-llm.ts'
import { PATH, type RealCli } from './real-clis.ts'

export interface RealDesk extends Desk {
  /** Resolves when the run has ended. `args` of the options are the runner's own. */
  headless(prompt: string, options?: StartOptions): Promise<Ran>
  /** Resolves when the run has begun. */
  detached(prompt: string, options?: StartOptions): Promise<InvocationData>
  /** The invocation that was started last. */
  last(): Promise<InvocationData>
  raw(id: string): Promise<string>
  events(id: string): Promise<readonly StreamEvent[]>
  /** Resolves when the invocation has a process whose command line contains `text`. */
  untilRuns(id: string, text: string): Promise<void>
}

export interface StartOptions {
  readonly args?: readonly string[]
  readonly options?: readonly string[]
}

/** Makes a desk with a worktree called `feature`. */
export async function makeRealDesk(
  cli: RealCli,
  mock: MockLlm,
  extra: (scratch: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<RealDesk> {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'repo'), { 'README.md': 'seed\n' })
  const desk = sitDown(scratch, root, { ...mock.env, PATH, ...extra(scratch) })
  await desk.worktree('feature')
  const startArgs = (prompt: string, { args = [], options = [] }: StartOptions = {}): string[] => [
    ...['agent', 'start', '--worktree', 'feature', '--runner', cli.runner.name, '--headless'],
    ...args.flatMap((arg) => ['--runner-arg', arg]),
    ...options,
    ...['--prompt', prompt],
  ]
  const logs = (id: string) =>
    desk.data<{ paths: LogPaths; events: readonly StreamEvent[] }>('agent', 'logs', id)
  return {
    ...desk,
    headless: (prompt, options) => desk.run(startArgs(prompt, options)),
    detached: async (prompt, options) =>
      (await desk.data<{ invocation: InvocationData }>(...startArgs(prompt, options), '--detached'))
        .invocation,
    last: async () => {
      const id = (await desk.list()).invocations.at(-1)?.invocation_id ?? 'none'
      return desk.show(id)
    },
    raw: async (id) => readFileSync((await logs(id)).paths.raw, 'utf8'),
    events: async (id) => (await logs(id)).events,
    untilRuns: (id, text) =>
      waitUntil(
        () => processesWith('AGENCY_INVOCATION_ID', id).some((pid) => commandOf(pid).includes(text)),
        {
          what: `${text} runs`,
        },
      ),
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
