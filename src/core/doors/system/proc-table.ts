// The process table of Linux, read from /proc. No program is started for it, because a kill reads it again and again.

import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import type { ProcessRow } from './process-table.ts'

const MARK = Buffer.from('\0AGENCY_INVOCATION_ID=')
const KERNEL_THREAD = 0x20_0000
const HOME = Buffer.from('\0HOME=')

/**
 * How long one look waits for processes that become another program. That takes microseconds, but a busy machine stops
 * them in the middle. It is one sum for all, because an agent can hold many of its processes there.
 */
interface Patience {
  milliseconds: number
}

const PATIENCE = 500

/** Live processes. One that has ended and waits for its parent is left out. */
export function readProcTable(): ProcessRow[] {
  const patience: Patience = { milliseconds: PATIENCE }
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? readProcStat(pid) : null
    return stat === null ? [] : [{ pid, ...stat, ...readOrigin(pid, patience) }]
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

export interface ProcWork {
  readonly pid: number
  /** Clock ticks that it has computed. */
  readonly ticks: number
  /** It waits for another or was stopped; it does not wait for the disk or for its turn. */
  readonly waits: boolean
  /** Of its program, cut off after 15 bytes. */
  readonly name: string
  readonly children: readonly number[]
}

/** null where there is no such process, or it has ended. */
export function readProcWork(pid: number): ProcWork | null {
  try {
    const line = readStatLine(pid)
    const fields = fieldsOf(line)
    if (parseProcStat(line) === null) return null
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')
    return {
      pid,
      ticks: Number(fields[11]) + Number(fields[12]),
      name: line.slice(line.indexOf('(') + 1, line.lastIndexOf(')')),
      waits: fields[0] === 'S' || fields[0] === 'T',
      children: children.filter((child) => child !== '').map(Number),
    }
  } catch {
    return null
  }
}

export const listProcTitles = (): [pid: number, title: string][] =>
  readdirSync('/proc').flatMap((name) => {
    const title = /^\d+$/.test(name) ? readProcTitle(Number(name)) : null
    return title === null ? [] : [[Number(name), title] as [number, string]]
  })

export function readProcTitle(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
  } catch {
    return null
  }
}

/** Among the fields behind the name: where the code ends in memory, where the environment begins and ends. */
const END_OF_CODE = 24
const ENVIRONMENT = 47

/** A process may call itself `x) R 1 (`, so the fields begin behind the last parenthesis. */
const fieldsOf = (line: string): string[] => line.slice(line.lastIndexOf(')') + 2).split(' ')

export function parseProcStat(line: string): ProcStat | null {
  const fields = fieldsOf(line)
  const [state, ppid] = fields
  const start_time = fields[19]
  const kernel = (Number(fields[6]) & KERNEL_THREAD) !== 0
  if (start_time === undefined || state === 'Z' || state === 'X' || kernel) return null
  return { ppid: Number(ppid), start_time }
}

/** An environment that we may not read belongs to another person's process. */
function readOrigin(pid: number, patience: Patience): Pick<ProcessRow, 'invocation_id' | 'wiped_cwd'> {
  try {
    const environ = Buffer.concat([Buffer.of(0), readEnvironment(pid, patience)])
    const invocation_id = valueBehind(environ, MARK)
    const wiped = invocation_id === null && !environ.includes(HOME)
    return { invocation_id, wiped_cwd: wiped ? readlinkSync(`/proc/${pid}/cwd`) : null }
  } catch {
    return { invocation_id: null, wiped_cwd: null }
  }
}

/**
 * If a process becomes another program meanwhile, nothing is read, because the memory that was opened is gone. The
 * process would look as if it belonged to nobody, so it is read again.
 */
function readEnvironment(pid: number, patience: Patience): Buffer {
  let environ = readFileSync(`/proc/${pid}/environ`)
  while (environ.length === 0 && patience.milliseconds > 0 && mayHaveEnvironment(pid)) {
    Atomics.wait(clock, 0, 0, 1)
    patience.milliseconds -= 1
    environ = readFileSync(`/proc/${pid}/environ`)
  }
  return environ
}

const clock = new Int32Array(new SharedArrayBuffer(4))

/** In the middle of an exec the place of the code is not known yet, because that is set last. */
function mayHaveEnvironment(pid: number): boolean {
  const line = readStatLine(pid)
  if (parseProcStat(line) === null) return false
  const fields = fieldsOf(line)
  return fields[END_OF_CODE] === '0' || fields[ENVIRONMENT] !== fields[ENVIRONMENT + 1]
}

function valueBehind(environ: Buffer, mark: Buffer): string | null {
  const at = environ.indexOf(mark)
  if (at < 0) return null
  const end = environ.indexOf(0, at + mark.length)
  return environ.toString('latin1', at + mark.length, end < 0 ? environ.length : end)
}
