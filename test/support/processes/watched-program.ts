// A program in a person's terminal, under a parent that outlives the terminal and writes down how the program ended.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratch } from '../git/repository.ts'
import { waitUntil } from '../run/wait.ts'
import { type OuterTerminal, openTerminalAt, type Place } from './outer-terminal.ts'

export interface WatchedProgram {
  readonly terminal: OuterTerminal
  /** Resolves when the program has been started, perhaps before it does anything. */
  begun(): Promise<void>
  /** Resolves to the exit status as a shell tells it: 128 and its number for a signal. */
  ended(): Promise<number>
}

/** How the program may begin: in the terminal's own session, or in one that is not told when the terminal closes. */
export const SESSIONS = { told: [], 'not told': ['setsid', '--wait'] } as const

export interface Watching extends Place {
  readonly session?: keyof typeof SESSIONS
  /** Redirections, as a shell takes them. */
  readonly redirected?: string
}

/** Passes SIGHUP on, as shells do, and waits on. */
const PARENT = `
  exec 3>&2 4<&0 2> "$0.said"; ulimit -c 0; trap 'kill -HUP "$program"' HUP
  "$@" 2>&3 3>&- <&4 4<&- REDIRECTED & program=$!
  : > "$0"; wait "$program"; status=$?
  while kill -0 "$program"; do wait "$program"; status=$?; done
  echo "$status." > "$0"`

/** No core is ever written: one that would have been is told as the signal that asked for it. */
export function openWatched(words: readonly string[], options: Watching = {}): WatchedProgram {
  const { session = 'told', redirected = '', ...place } = options
  const status = join(makeScratch(), 'status')
  const script = PARENT.replace('REDIRECTED', redirected)
  const told = (): string => (existsSync(status) ? readFileSync(status, 'utf8') : '')
  const terminal = openTerminalAt(['/bin/sh', '-c', script, status, ...SESSIONS[session], ...words], place)
  return {
    terminal,
    begun: () => waitUntil(() => existsSync(status) && programBelow(terminal.pty.pid) !== 'sh'),
    ended: async () => {
      await waitUntil(() => told().includes('.'), { what: 'the end of the program' })
      return Number.parseInt(told(), 10)
    },
  }
}

/** The only child's name; that of the shell itself until the child has become another program. */
function programBelow(shell: number): string {
  try {
    const child = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim()
    return child === '' ? 'sh' : readFileSync(`/proc/${child}/comm`, 'utf8').trim()
  } catch {
    return 'sh'
  }
}
