// What processes have cost, as the kernel counts it.

import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Milliseconds of CPU that these processes have used so far, with all of their threads. */
export const cpuOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticks(statOf(pid), 11, 2), 0) * (1000 / TICKS_PER_SECOND)

/** The same, with those of their children that have ended. */
export const cpuWithChildren = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticks(statOf(pid), 11, 4), 0) * (1000 / TICKS_PER_SECOND)

/** Private_Clean + Private_Dirty, in MB. */
export function privateMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map((match) =>
    Number(match[1]),
  )
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}

export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(statOf(child)[1]) === pid)

const ticks = (fields: readonly string[], first: number, count: number): number =>
  fields.slice(first, first + count).reduce((sum, field) => sum + Number(field), 0)

/** The fields of /proc/PID/stat after the name; the state is the first. Empty if the process has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
