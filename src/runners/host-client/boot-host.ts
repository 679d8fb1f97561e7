// A host's process before it is told anything: detached, and booting while its starter still reads the command line. Of
// little weight on purpose: it is done before the program itself is loaded.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { hostEnvironment } from '../host/carried-environment.ts'

export type HostProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** It keeps nobody alive, and ends by itself when its starter does without having told it what to run. */
export function bootHost(entryPath: string): HostProcess {
  const child = spawn(process.execPath, [entryPath], {
    cwd: '/',
    detached: true,
    env: hostEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  // That it could not be started is seen by its having no pid.
  child.on('error', () => {})
  holdBack(child, 'unref')
  return child
}

/** Whether it keeps its starter alive. */
export function holdBack(child: HostProcess, what: 'ref' | 'unref'): void {
  child[what]()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    if (what in pipe) (pipe as unknown as { ref(): void; unref(): void })[what]()
  }
}
