// Runs a program in a process group of its own, with a watch on it: a verb has to end within a minute. On a machine that is
// busy with other things a minute says little, so one that works may take longer, by the machine's load. One that does
// not even work is stuck sooner: all of its processes sleep, and none has used the processor for a while.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'

export interface WatchedRun {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export type Stuck = 'asleep' | 'too long' | 'too much memory'

export interface Watched {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Milliseconds. */
  readonly took: number
  /** It did not end by itself. */
  readonly stuck: Stuck | null
}

const SECOND = 1_000
const LIMIT = 60 * SECOND
/** For so long nothing of it has moved. It is longer than agency waits for a lock. */
const ASLEEP = 40 * SECOND
const MOST_OUTPUT = 8_000_000
/** Bytes, of a group. */
const MOST_MEMORY = 3 * 2 ** 30
const PAGE = 4096

export function runWatched({ file, args, cwd, env }: WatchedRun): Promise<Watched> {
  return new Promise((resolve, reject) => {
    const began = Date.now()
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      if (said.out.length < MOST_OUTPUT) said.out += text
    })
    child.stderr.setEncoding('latin1').on('data', (text: string) => {
      if (said.err.length < MOST_OUTPUT) said.err += text
    })
    let stuck: Watched['stuck'] = null
    const watch = watchGroup(child.pid ?? 0, (how) => {
      stuck = how
      killGroup(child.pid ?? 0)
    })
    child.on('error', reject)
    // Streams may be held open by what it started, so its own end counts.
    child.on('exit', (status, signal) => {
      clearInterval(watch)
      const end = () => {
        child.stdout.destroy()
        child.stderr.destroy()
        const text = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
        resolve({
          status,
          signal,
          stdout: text(said.out),
          stderr: text(said.err),
          took: Date.now() - began,
          stuck,
        })
      }
      const late = setTimeout(end, 2 * SECOND)
      child.on('close', () => {
        clearTimeout(late)
        end()
      })
    })
  })
}

function watchGroup(group: number, onStuck: (how: Stuck) => void): NodeJS.Timeout {
  const began = Date.now()
  let moved = began
  let before = ''
  return setInterval(() => {
    const now = Date.now()
    const { state, memory } = groupState(group)
    if (memory > MOST_MEMORY) onStuck('too much memory')
    if (state === null || state !== before) moved = now
    before = state ?? ''
    if (now - moved > ASLEEP) onStuck('asleep')
    else if (now - began > LIMIT * slowness()) onStuck('too long')
  }, SECOND)
}

const slowness = (): number => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

interface GroupState {
  /** How much each process has worked; null if one works now, or if that is not to be known. */
  readonly state: string | null
  readonly memory: number
}

function groupState(group: number): GroupState {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .filter((fields) => Number(fields[2]) === group)
  const asleep = stats.length > 0 && stats.every(([state]) => state === 'S')
  return {
    state: asleep ? stats.map((fields) => `${fields[1]} ${fields[11]} ${fields[12]}`).join(',') : null,
    memory: stats.reduce((sum, fields) => sum + Number(fields[21]) * PAGE, 0),
  }
}

/** The fields behind the name of the program, which may hold anything. */
function readStat(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    return
  }
}
