// The door to processes: who is alive, which processes belong to an invocation, and how to signal them. A signal never
// reaches a stranger who was given a dead process's pid.

import { existsSync, realpathSync, utimesSync, writeFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../model/invocation.ts'
import type { Processes } from '../effects.ts'
import { startDetached } from '../spawner/start-detached.ts'
import { setBackSince } from './clock-steps.ts'
import { findHolder } from './file-holders.ts'
import { FILE_MODE, isErrno } from './files.ts'
import { listProcTitles, readProcStat, readProcTable, readProcTitle } from './proc-table.ts'
import { type ProcessRow, selectFamily, selectOfInvocation } from './process-table.ts'
import { listPsTitles, readPsStartTime, readPsTable, readPsTitle } from './ps-table.ts'
import { searchPath } from './search-path.ts'

/** The ending of files that exist only while a tree is being deleted. */
export const STAMP_ENDING = '.since'

export function systemProcesses(): Processes {
  const self = identityOf(process.pid) ?? { pid: process.pid, start_time: '' }
  return {
    identityOf,
    titleOf: (pid) => (hasProc() ? readProcTitle(pid) : readPsTitle(pid)),
    titled,
    familyOf: (identity) =>
      selectFamily(readTable(), identity).map(({ pid, start_time }) => ({ pid, start_time })),
    isAlive,
    self,
    holderOf: findHolder,
    ofInvocation: async (invocationId, treePath) =>
      selectOfInvocation(readTable(), {
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

const readTable = (): ProcessRow[] => (hasProc() ? readProcTable() : readPsTable())

const titled = (title: string): ProcessIdentity[] =>
  (hasProc() ? listProcTitles() : listPsTitles()).flatMap(([pid, shown]) =>
    shown === title ? (identityOf(pid) ?? []) : [],
  )

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

/**
 * Before it deletes, it looks for files that are younger than git's copy: a leftover process or the person may have
 * written them. It never enters what is mounted in there. Directories without write permission (module caches) stop the
 * first round, so they are made writable, one by one as they are met: below a closed one there may be others. A path may
 * be too long for a program, so each is named from the directory that it lies in. Files are left as they are, because
 * they may be hard links.
 */
const DELETE = `
if [ -n "$2" ]; then
  late=$(find "$1" -xdev -mindepth 1 -path "$1/.agency" -prune -o -cnewer "$2" -print 2>/dev/null) || late=unknown
  rm -f -- "$2"
  if [ -n "$late" ]; then mv -- "$1" "$1.kept"; exit; fi
fi
delete() { find "$1" -xdev -depth -delete 2>/dev/null; }
delete "$1" || { find "$1" -xdev -type d -execdir chmod u+rwx {} \\; 2>/dev/null; delete "$1"; }`

/** The kernel's file times lag behind its clock by up to one tick. */
const TICK = 20

function deleteLater(path: string, wholeAt?: number): void {
  startDetached({
    argv: ['/bin/sh', '-c', DELETE, 'sh', path, wholeAt === undefined ? '' : stamp(path, wholeAt)],
    cwd: '/',
    env: { PATH: searchPath(process.env) },
  })
}

/**
 * Makes a file with that time beside the directory, because `find` compares times with files only. If the clock was set
 * back, files that changed since look older, so the time is set back with it: at worst a tree is kept for nothing.
 */
function stamp(path: string, at: number): string {
  const file = `${path}${STAMP_ENDING}`
  const seconds = (at - TICK - setBackSince(at)) / 1000
  writeFileSync(file, '', { mode: FILE_MODE, flag: 'wx' })
  utimesSync(file, seconds, seconds)
  return file
}
