// Starts a host's process before it is told anything: it is detached, and boots while its starter makes the sandbox.

import { type PipedChild, startPiped } from '../../core/doors/spawner/start-piped.ts'
import { hostEnvironment } from '../host/carried-environment.ts'

export type HostProcess = PipedChild

/** It does not keep its starter alive. If the starter ends without having told it what to run, it ends too. */
export function bootHost(entryPath: string): HostProcess {
  const child = startPiped({
    argv: [process.execPath, entryPath],
    cwd: '/',
    env: hostEnvironment(process.env),
  })
  child.stdin.on('error', () => {})
  // A failure to start is seen by the missing pid.
  child.on('error', () => {})
  holdBack(child, 'unref')
  return child
}

/** Whether the child keeps its starter alive. */
export function holdBack(child: HostProcess, what: 'ref' | 'unref'): void {
  child[what]()
  for (const pipe of [child.stdin, child.stdout, child.stderr]) {
    if (what in pipe) (pipe as unknown as { ref(): void; unref(): void })[what]()
  }
}
