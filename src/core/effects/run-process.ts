// One child process from its start to its end, all of its output in memory. Kept small on purpose: hosts live with it
// for hours, and a checkpoint is a handful of such processes.

import { type ChildProcess, spawn } from 'node:child_process'

export interface ProcessPlace {
  readonly cwd: string
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
}

export interface ProcessRequest extends ProcessPlace {
  /** /dev/null where it is missing. */
  readonly input?: string | Uint8Array | undefined
}

export interface ProcessEnd {
  /** undefined where it did not exit by itself. */
  readonly exitCode: number | undefined
  /** Why it could not be run: ENOENT and the like. */
  readonly code: string | undefined
  readonly signal: string | undefined
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** Resolves when it has ended and its output is read; never rejects. */
export function runProcess(
  file: string,
  args: readonly string[],
  { cwd, env, input }: ProcessRequest,
): Promise<ProcessEnd> {
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const ended = endOf(child)
  child.stdin?.end(input)
  return ended
}

/** Its standard input stays open, to be written to by whoever asked for it. */
export interface OpenProcess {
  readonly child: ChildProcess
  readonly ended: Promise<ProcessEnd>
}

/** `detached`: in a process group of its own. */
export function openProcess(
  file: string,
  args: readonly string[],
  { cwd, env, detached }: ProcessPlace & { readonly detached: boolean },
): OpenProcess {
  const child = spawn(file, args, { cwd, env, detached, stdio: 'pipe' })
  return { child, ended: endOf(child) }
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  // It may end before it has read everything; its exit code says why.
  child.stdin?.on('error', () => {})
  return new Promise((resolve) => {
    const end = (how: Pick<ProcessEnd, 'exitCode' | 'code' | 'signal'>): void =>
      resolve({ ...how, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
    child.once('error', (error: NodeJS.ErrnoException) =>
      end({ exitCode: undefined, code: error.code, signal: undefined }),
    )
    child.once('close', (exitCode, signal) =>
      end({ exitCode: exitCode ?? undefined, code: undefined, signal: signal ?? undefined }),
    )
  })
}
