// Starts programs from this very process.

import { type ChildProcessByStdio, type StdioOptions, spawn } from 'node:child_process'
import { Readable, type Writable } from 'node:stream'
import type { OpenProcess, ProcessEnd, SpawnLimits, SpawnRequest } from './spawner.ts'
import { startChild } from './start-child.ts'

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

export function spawnHere({ file, args, cwd, env, detached, input, limits }: SpawnRequest): OpenProcess {
  const stdio: StdioOptions = [input ? 'pipe' : 'ignore', 'pipe', 'pipe']
  const started = startChild(() => spawn(file, args, { cwd, env, detached, stdio }) as Child)
  if ('failed' in started) return neverStarted(started.failed)
  const { child } = started
  // A program may end before it has read everything. Its exit code says why.
  child.stdin?.on('error', () => {})
  return {
    pid: Promise.resolve(child.pid),
    stdout: child.stdout,
    write: (text) => void child.stdin?.write(text),
    end: (text) => void child.stdin?.end(text),
    ended: awaitEnd(child, limits),
  }
}

function neverStarted(code: string): OpenProcess {
  const nothing = Buffer.alloc(0)
  return {
    pid: Promise.resolve(undefined),
    stdout: Readable.from([]),
    write: () => {},
    end: () => {},
    ended: Promise.resolve({
      exitCode: undefined,
      code,
      signal: undefined,
      stdout: nothing,
      stderr: nothing,
    }),
  }
}

function awaitEnd(child: Child, limits: SpawnLimits | undefined): Promise<ProcessEnd> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  const limit = holdTo(child, limits)
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  return new Promise((resolve) => {
    const end = (how: Pick<ProcessEnd, 'exitCode' | 'code' | 'signal'>): void => {
      const broken = limit.end()
      const nothing = Buffer.alloc(0)
      if (broken === null) resolve({ ...how, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) })
      else resolve({ exitCode: undefined, code: broken, signal: undefined, stdout: nothing, stderr: nothing })
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      end({ exitCode: undefined, code: error.code, signal: undefined }),
    )
    child.once('close', (exitCode, signal) =>
      end({ exitCode: exitCode ?? undefined, code: undefined, signal: signal ?? undefined }),
    )
  })
}

/** Kills it once it goes beyond a limit. `end` says which one that was, if any. */
function holdTo(child: Child, limits: SpawnLimits | undefined): { end: () => string | null } {
  if (limits === undefined) return { end: () => null }
  let broken: string | null = null
  let room = limits.mostOutput
  const stop = (why: string): void => {
    broken ??= why
    child.kill('SIGKILL')
    // Whatever else it has started may hold these open, and go on writing.
    child.stdout.destroy()
    child.stderr.destroy()
  }
  const count = (chunk: Buffer): void => {
    room -= chunk.length
    if (room < 0) stop('EFBIG')
  }
  child.stdout.on('data', count)
  child.stderr.on('data', count)
  const timer = setTimeout(() => stop('ETIMEDOUT'), limits.longest)
  return {
    end: () => {
      clearTimeout(timer)
      return broken
    },
  }
}
