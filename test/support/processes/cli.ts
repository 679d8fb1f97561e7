// The built program, run as a person or a script runs it: in a process, a home and a data directory of its own.

import { type ChildProcess, spawn as spawnProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { onTestFinished } from 'vitest'
import type { InvocationView } from '../../../src/core/facade/agency.ts'
import type { BrokenInvocation, InvocationRecord } from '../../../src/core/model/invocation.ts'
import type { WorktreeRecord } from '../../../src/core/model/worktree.ts'
import { makeRepository, makeScratch } from '../git/repository.ts'
import { killQuietly, processesWith } from './processes.ts'

export const PROGRAM = resolve('dist/agency.js')

/** An invocation as --json gives it: its record, and what follows from the record. */
export type InvocationData = InvocationRecord & Omit<InvocationView, 'record'>

export interface Ran {
  readonly exitCode: number | undefined
  readonly signal: string | undefined
  readonly stdout: string
  readonly stderr: string
}

export interface Desk {
  readonly scratch: string
  readonly root: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** Never throws on an exit status. */
  run(
    args: readonly string[],
    options?: { cwd?: string; input?: string; env?: Record<string, string> },
  ): Promise<Ran>
  /** Runs with --json and returns `data`. Throws with the whole output if `ok` is false. */
  data<T = Record<string, unknown>>(...args: readonly string[]): Promise<T>
  /** Makes a worktree. */
  worktree(name: string): Promise<WorktreeRecord>
  /** Starts a headless shell agent and returns as soon as it is up. */
  start(worktree: string, script: string): Promise<InvocationRecord>
  show(id: string): Promise<InvocationData>
  list(): Promise<{ invocations: readonly InvocationData[]; broken: readonly BrokenInvocation[] }>
  /** The process itself, so that it can be killed. */
  spawn(args: readonly string[]): ChildProcess
}

export function makeDesk(files?: Readonly<Record<string, string>>): Desk {
  const scratch = makeScratch()
  return sitDown(scratch, makeRepository(join(scratch, 'repo'), files))
}

export function sitDown(scratch: string, root: string, extra: Readonly<Record<string, string>> = {}): Desk {
  const dataDir = extra['AGENCY_DATA_DIR'] ?? join(scratch, 'data')
  const env = { AGENCY_DATA_DIR: dataDir, XDG_RUNTIME_DIR: scratch, SHELL: '/bin/sh', ...extra }
  onTestFinished(() => endAll(scratch))
  const spawn: Desk['spawn'] = (args) =>
    spawnProcess(process.execPath, [PROGRAM, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
  const run: Desk['run'] = async (args, options = {}) => {
    const result = await execa(process.execPath, [PROGRAM, ...args], {
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      reject: false,
      ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
    })
    return {
      exitCode: result.exitCode,
      signal: result.signal,
      stdout: String(result.stdout),
      stderr: String(result.stderr),
    }
  }
  const data: Desk['data'] = async <T>(...args: readonly string[]) => {
    const ran = await run([...args, '--json'])
    const envelope = JSON.parse(ran.stdout)
    if (envelope.ok !== true) throw new Error(`agency ${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
    return envelope.data as T
  }
  return {
    scratch,
    root,
    dataDir,
    env,
    run,
    spawn,
    data,
    worktree: async (name) =>
      (await data<{ worktree: WorktreeRecord }>('worktree', 'create', '--name', name)).worktree,
    start: async (worktree, script) =>
      (await data<{ invocation: InvocationRecord }>(...shellAgent(worktree, script))).invocation,
    show: async (id) => (await data<{ invocation: InvocationData }>('agent', 'show', id)).invocation,
    list: () => data('agent', 'ls', '--all'),
  }
}

/** Otherwise hosts and runners outlive the test, and go on writing while its directory is being deleted. */
function endAll(scratch: string): void {
  for (const pid of processesWith('XDG_RUNTIME_DIR', scratch)) killQuietly(pid)
}

/** The command line that starts a headless shell agent in the background. */
export const shellAgent = (worktree: string, script: string): string[] => [
  ...['agent', 'start', '--worktree', worktree, '--runner', 'shell', '--headless', '--detached'],
  ...['--prompt', script],
]
