// A program in a real pty, and an emulator that reads what it draws: a person's terminal, of any size.

import { createRequire } from 'node:module'
import { Terminal } from '@xterm/headless'

interface Pty {
  onData(listener: (data: string) => void): void
  onExit(listener: (exit: Exit) => void): void
  write(data: string): void
  resize(columns: number, rows: number): void
  kill(signal: string): void
  /** Closes the terminal's window. */
  destroy(): void
}

export interface Exit {
  readonly exitCode: number
  readonly signal?: number
}

/** Its prebuilt package declares its types under another name. */
const { spawn } = createRequire(import.meta.url)('node-pty') as {
  spawn(file: string, args: readonly string[], options: object): Pty
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly size?: { readonly cols: number; readonly rows: number }
}

export interface TerminalProgram {
  readonly pty: Pty
  readonly emulator: Terminal
  /** Everything that the program wrote. */
  readonly bytes: () => string
  /** With what scrolled by. */
  readonly screen: () => string
  /** Resolves when the screen shows it; throws with the screen after 40 s. */
  shows(text: string): Promise<void>
  /** The same, until it shows it no longer. */
  hides(text: string): Promise<void>
  readonly ended: Promise<Exit>
}

const USUAL_SIZE = { cols: 80, rows: 24 }
/** Milliseconds. */
const PATIENCE = 40_000

export function runInTerminal({ file, args, env, cwd, size = USUAL_SIZE }: Program): TerminalProgram {
  const pty = spawn(file, args, {
    ...size,
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color' },
    ...(cwd === undefined ? {} : { cwd }),
  })
  const emulator = new Terminal({ ...size, allowProposedApi: true })
  const watchers = new Set<() => void>()
  let bytes = ''
  pty.onData((data) => {
    bytes += data
    emulator.write(data, () => {
      for (const watcher of watchers) watcher()
    })
  })
  emulator.onData((reply) => pty.write(reply))
  const screen = (): string => textOf(emulator)
  return {
    pty,
    emulator,
    bytes: () => bytes,
    screen,
    shows: (text) =>
      waitFor(
        () => screen().includes(text),
        watchers,
        () => `'${text}' is not on the screen:\n${screen()}`,
      ),
    hides: (text) =>
      waitFor(
        () => !screen().includes(text),
        watchers,
        () => `'${text}' is still on the screen:\n${screen()}`,
      ),
    ended: new Promise((resolve) => pty.onExit(resolve)),
  }
}

function textOf(emulator: Terminal): string {
  const { active } = emulator.buffer
  const lines = Array.from(
    { length: active.length },
    (_, at) => active.getLine(at)?.translateToString(true) ?? '',
  )
  return lines.join('\n').trimEnd()
}

function waitFor(holds: () => boolean, watchers: Set<() => void>, explain: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      clearTimeout(limit)
      watchers.delete(look)
      done()
    }
    const look = (): void => {
      if (holds()) settle(resolve)
    }
    const limit = setTimeout(() => settle(() => reject(new Error(explain()))), PATIENCE)
    watchers.add(look)
    look()
  })
}
