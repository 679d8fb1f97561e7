// Starts programs from this very process.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { OpenProcess, ProcessEnd, SpawnRequest } from './spawner.ts'

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

export function spawnHere({ file, args, cwd, env, detached, input }: SpawnRequest): OpenProcess {
  const child = spawn(file, args, {
    cwd,
    env,
    detached,
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  }) as Child
  // A program may end before it has read everything. Its exit code says why.
  child.stdin?.on('error', () => {})
  return {
    pid: Promise.resolve(child.pid),
    stdout: child.stdout,
    write: (text) => void child.stdin?.write(text),
    end: (text) => void child.stdin?.end(text),
    ended: awaitEnd(child),
  }
}

function awaitEnd(child: Child): Promise<ProcessEnd> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
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
