// A host's process before it is told anything: detached, and booting while its starter still reads the command line. Of
// little weight on purpose: it is done before the program itself is loaded.

import { type PipedChild, startPiped } from '../../core/doors/spawner/start-piped.ts'
import { hostEnvironment } from '../host/carried-environment.ts'

export type HostProcess = PipedChild

/** It keeps nobody alive, and ends by itself when its starter does without having told it what to run. */
export function bootHost(entryPath: string): HostProcess {
  const child = startPiped({
    argv: [process.execPath, entryPath],
    cwd: '/',
    env: hostEnvironment(process.env),
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
