// Runs one command line in memory: streams that are read back, a fixed time, and a facade of the test's choice.

import { PassThrough } from 'node:stream'
import type { Agency } from '../../../src/core/facade/agency.ts'
import { runCommandLine } from '../../../src/ui/cli/command-line.ts'
import { COMMANDS } from '../../../src/ui/cli/commands/commands.ts'
import type { CommandConsole, OpenAgency } from '../../../src/ui/person/console.ts'
import { PROGRAM } from '../processes/cli.ts'
import { recordingAgency } from './recording-agency.ts'

export interface Surroundings {
  readonly agency?: Agency
  readonly open?: OpenAgency
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** What is on standard input; nothing by default. */
  readonly input?: string
  /** Columns, if all three streams are a terminal; by default they are none. */
  readonly terminal?: number
}

export interface MemoryConsole extends CommandConsole {
  /** Does what Ctrl-C does. */
  interrupt(): void
  readonly written: { out: string; err: string }
}

export function memoryConsole(surroundings: Surroundings = {}): MemoryConsole {
  const { terminal, input = '' } = surroundings
  const written = { out: '', err: '' }
  const listeners = new Set<() => void>()
  const tty = terminal === undefined ? {} : { isTTY: true, columns: terminal, rows: 24 }
  const capture = (into: 'out' | 'err'): PassThrough => {
    const stream = new PassThrough()
    stream.on('data', (chunk: Buffer) => {
      written[into] += chunk.toString('utf8')
    })
    return Object.assign(stream, tty)
  }
  return {
    version: '9.9.9',
    program: PROGRAM,
    stdin: Object.assign(new PassThrough().end(input), tty),
    stdout: capture('out'),
    stderr: capture('err'),
    env: surroundings.env ?? {},
    cwd: surroundings.cwd ?? process.cwd(),
    now: () => new Date('2026-01-28T12:08:00.000Z'),
    openAgency: surroundings.open ?? (async () => surroundings.agency ?? recordingAgency()),
    onInterrupt: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    interrupt: () => {
      for (const listener of listeners) listener()
    },
    written,
  }
}

export interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

export async function runCli(argv: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const console = memoryConsole(surroundings)
  const status = await runCommandLine(argv, COMMANDS, console)
  return { status, ...console.written }
}

/** The envelope that --json printed. */
export const parseEnvelope = (ran: Ran): { ok: boolean; data?: unknown; error?: Record<string, unknown> } =>
  JSON.parse(ran.out)
