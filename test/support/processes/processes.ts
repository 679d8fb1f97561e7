// Looking at live processes from outside, as `ps` would.

import { readdirSync, readFileSync } from 'node:fs'

/** Pids of all processes that carry `name=value` in their environment. Linux only. */
export function processesWith(name: string, value: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => readEnvironment(pid).includes(`${name}=${value}`))
    .map(Number)
}

function readEnvironment(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Sends SIGKILL. It is no error if the process has ended meanwhile. */
export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
