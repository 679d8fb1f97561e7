// The door to processes: who is alive, which belong to an invocation, and signals that never reach a stranger who was
// given a dead one's pid.

import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import type { ProcessIdentity } from '../model/invocation.ts'
import type { Processes } from './effects.ts'
import { isErrno } from './files.ts'
import { readProcStat, readProcTable } from './proc-table.ts'
import { selectOfInvocation } from './process-table.ts'
import { readPsStartTime, readPsTable } from './ps-table.ts'

export function systemProcesses(): Processes {
  const self = identityOf(process.pid) ?? { pid: process.pid, start_time: '' }
  return {
    identityOf,
    isAlive,
    self,
    ofInvocation: async (invocationId, treePath) =>
      selectOfInvocation(hasProc() ? readProcTable() : readPsTable(), {
        invocationId,
        treePath: existsSync(treePath) ? realpathSync(treePath) : treePath,
        self: process.pid,
      }).map(({ pid, start_time }) => ({ pid, start_time })),
    signal: (processes, signal) => {
      for (const identity of processes) if (isAlive(identity)) sendSignal(identity.pid, signal)
    },
    deleteLater,
  }
}

const hasProc = (): boolean => process.platform === 'linux'

function identityOf(pid: number): ProcessIdentity | null {
  const start_time = hasProc() ? (readProcStat(pid)?.start_time ?? null) : readPsStartTime(pid)
  return start_time === null ? null : { pid, start_time }
}

/** A process that has ended and waits for its parent counts as ended. */
const isAlive = (identity: ProcessIdentity): boolean =>
  identityOf(identity.pid)?.start_time === identity.start_time

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'EPERM')) throw error
  }
}

/** Directories without write permission (module caches) stop the first `rm`; only directories are made writable, as files may be hard links. */
const DELETE = `rm -rf -- "$1" 2>/dev/null || { find "$1" -type d -exec chmod u+rwx {} +; rm -rf -- "$1"; }`

function deleteLater(path: string): void {
  const child = spawn('/bin/sh', ['-c', DELETE, 'sh', path], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] },
  })
  child.on('error', () => {})
  child.unref()
}
