// The process table of Linux, read from /proc. No program is started for it, because a kill reads it again and again.

import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import type { ProcessRow } from './process-table.ts'

const MARK = Buffer.from('\0AGENCY_INVOCATION_ID=')
const KERNEL_THREAD = 0x20_0000
const HOME = Buffer.from('\0HOME=')

/** Live processes. One that has ended and waits for its parent is left out. */
export function readProcTable(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? readProcStat(pid) : null
    return stat === null ? [] : [{ pid, ...stat, ...readOrigin(pid) }]
  })
}

export interface ProcStat {
  readonly ppid: number
  /** Clock ticks since boot. */
  readonly start_time: string
}

/** null where there is no such process, it has ended, or it is a thread of the kernel. */
export function readProcStat(pid: number): ProcStat | null {
  try {
    return parseProcStat(readStatLine(pid))
  } catch {
    return null
  }
}

/** A line has about fifty numbers and a name of at most 15 bytes. */
const statLine = Buffer.alloc(4096)

/** Reads in one call: a dashboard with fifty hosts does this all day. */
function readStatLine(pid: number): string {
  const file = openSync(`/proc/${pid}/stat`, 'r')
  try {
    return statLine.toString('latin1', 0, readSync(file, statLine))
  } finally {
    closeSync(file)
  }
}

export function readProcTitle(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
  } catch {
    return null
  }
}

/** A process may call itself `x) R 1 (`, so the fields begin behind the last parenthesis. */
export function parseProcStat(line: string): ProcStat | null {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, ppid] = fields
  const start_time = fields[19]
  const kernel = (Number(fields[6]) & KERNEL_THREAD) !== 0
  if (start_time === undefined || state === 'Z' || state === 'X' || kernel) return null
  return { ppid: Number(ppid), start_time }
}

/** An environment that we may not read belongs to another person's process. */
function readOrigin(pid: number): Pick<ProcessRow, 'invocation_id' | 'wiped_cwd'> {
  try {
    const environ = Buffer.concat([Buffer.of(0), readFileSync(`/proc/${pid}/environ`)])
    const invocation_id = valueBehind(environ, MARK)
    const wiped = invocation_id === null && !environ.includes(HOME)
    return { invocation_id, wiped_cwd: wiped ? readlinkSync(`/proc/${pid}/cwd`) : null }
  } catch {
    return { invocation_id: null, wiped_cwd: null }
  }
}

function valueBehind(environ: Buffer, mark: Buffer): string | null {
  const at = environ.indexOf(mark)
  if (at < 0) return null
  const end = environ.indexOf(0, at + mark.length)
  return environ.toString('latin1', at + mark.length, end < 0 ? environ.length : end)
}
