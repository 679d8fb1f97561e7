// The process table as `ps` prints it, where there is no /proc (macOS). The environment of a process follows its
// command. Its working directory is not known, so processes with a wiped environment are found as descendants only.

import { runAtOnce } from '../spawner/run-at-once.ts'
import type { ProcessRow } from './process-table.ts'
import { searchPath } from './search-path.ts'

export function readPsTable(): ProcessRow[] {
  return parsePs(ps('-A', '-E', '-ww', '-o', 'pid=,ppid=,stat=,lstart=,command='))
}

/** null where there is no such process or it has ended. */
export function readPsStartTime(pid: number): string | null {
  return parsePs(ps('-p', String(pid), '-o', 'pid=,ppid=,stat=,lstart=,command='))[0]?.start_time ?? null
}

export const readPsTitle = (pid: number): string | null =>
  ps('-ww', '-p', String(pid), '-o', 'command=').trim() || null

export const listPsTitles = (): [pid: number, title: string][] =>
  ps('-A', '-ww', '-o', 'pid=,command=')
    .split('\n')
    .flatMap((line) => {
      const [, pid, title = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), title.trim()] as [number, string]]
    })

const LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/
const MARK = /(?:^|\s)AGENCY_INVOCATION_ID=(\S+)/

export function parsePs(output: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, ppid, state = 'Z', started = '', command = ''] = LINE.exec(line) ?? []
    if (pid === undefined || state.startsWith('Z')) return []
    return {
      pid: Number(pid),
      ppid: Number(ppid),
      start_time: started.replace(/\s+/g, ' '),
      invocation_id: MARK.exec(command)?.[1] ?? null,
      wiped_cwd: null,
    }
  })
}

function ps(...args: string[]): string {
  const env = { ...process.env, PATH: searchPath(process.env), LC_ALL: 'C' }
  return runAtOnce({ argv: ['ps', ...args], cwd: '/', env }).stdout
}
