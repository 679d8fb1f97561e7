// One child process from its start to its end, all of its output in memory. Kept small on purpose: hosts live with it
// for hours, and a checkpoint is a handful of such processes.

import { spawn } from 'node:child_process'

export interface ProcessRequest {
  readonly cwd: string
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
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
  return new Promise((resolve) => {
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    const end = (how: Pick<ProcessEnd, 'exitCode' | 'code' | 'signal'>): void =>
      resolve({ ...how, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.once('error', (error: NodeJS.ErrnoException) =>
      end({ exitCode: undefined, code: error.code, signal: undefined }),
    )
    child.once('close', (exitCode, signal) =>
      end({ exitCode: exitCode ?? undefined, code: undefined, signal: signal ?? undefined }),
    )
    // It may end before it has read everything; its exit code says why.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
