// Whether a lock file may still be held. The lock is the file itself, so its holder need not have it open: git closes the
// index's lock while a person writes a commit message. So every git that was there before the file and may be at work in
// that repository counts as its holder, and so does every process that has it open.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ProcessIdentity } from '../../model/invocation.ts'
import { isWithin } from '../../model/path-safety.ts'
import { runAtOnce } from '../spawner/run-at-once.ts'
import { lstatIfThere } from './files.ts'
import { readProcStat, readProcTitle } from './proc-table.ts'
import { searchPath } from './search-path.ts'

/** Milliseconds. The clocks of processes and of files are read apart, and both come in steps. */
const DOUBT = 2_000
/** Clock ticks in a second, as Linux tells them to programs. */
const TICKS = 100

/**
 * A live process that may hold this lock file; null if there can be none on this machine, or no file. `places` are real
 * paths: the repository's git directory, all its work trees, and what we have for it.
 */
export function findHolder(path: string, places: readonly string[]): ProcessIdentity | null {
  const lock = lstatIfThere(path)
  if (lock === null) return null
  return process.platform === 'linux' ? findInProc({ path, since: lock.mtimeMs, places }) : findByPs()
}

interface LockFile {
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly places: readonly string[]
}

function findInProc({ path, since, places }: LockFile): ProcessIdentity | null {
  const booted = Date.now() - Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) && pid !== process.pid ? readProcStat(pid) : null
    if (stat === null) continue
    const begun = booted + (Number(stat.start_time) / TICKS) * 1000
    if ((begun <= since + DOUBT && isGitIn(pid, places)) || hasOpen(pid, path))
      return { pid, start_time: stat.start_time }
  }
  return null
}

/** The daemon that watches files lives long and locks nothing. */
function isGitIn(pid: number, places: readonly string[]): boolean {
  const title = readProcTitle(pid) ?? ''
  if (!isGitCommand(title) || title.includes('fsmonitor--daemon')) return false
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    const told = toldPlaces(readFileSync(`/proc/${pid}/environ`, 'utf8')).map((place) => resolve(cwd, place))
    return [cwd, ...told].some((at) => places.some((place) => isWithin(at, place)))
  } catch {
    return true
  }
}

/** The places that the environment of a git names. */
const toldPlaces = (environment: string): string[] =>
  environment.split('\0').flatMap((entry) => {
    const [, place] = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE)=(.+)$/s.exec(entry) ?? []
    return place === undefined ? [] : [place]
  })

/** Its own name, and those of its parts: `git-remote-https`. */
export const isGitCommand = (title: string): boolean => /^(?:\S*\/)?git(?:-[\w-]+)?(?:\s|$)/.test(title)

/** What another person's process has open cannot be seen. */
function hasOpen(pid: number, path: string): boolean {
  try {
    const dir = `/proc/${pid}/fd`
    return readdirSync(dir).some((file) => opened(`${dir}/${file}`) === path)
  } catch {
    return false
  }
}

function opened(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}

/** Where there is no /proc, any git that runs may be the holder. */
function findByPs(): ProcessIdentity | null {
  const env = { ...process.env, PATH: searchPath(process.env), LC_ALL: 'C' }
  const { stdout } = runAtOnce({ argv: ['ps', '-A', '-o', 'pid=,lstart=,comm='], cwd: '/', env })
  for (const line of stdout.split('\n')) {
    const [, pid, start_time = '', command = ''] =
      /^\s*(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line) ?? []
    if (pid !== undefined && isGitCommand(command)) return { pid: Number(pid), start_time }
  }
  return null
}
