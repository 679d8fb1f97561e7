// A program in a real pty, an emulator that reads what it draws, and waiting for what that shows.

import { createRequire } from 'node:module'
import type { IModes, Terminal } from '@xterm/headless'

interface Pty {
  readonly pid: number
  onData(listener: (data: string) => void): void
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void
  write(data: string): void
  resize(columns: number, rows: number): void
  kill(signal: string): void
  /** Closes the terminal's window. */
  destroy(): void
}

/** Its prebuilt package declares its types under another name. */
const { spawn } = createRequire(import.meta.url)('node-pty') as {
  spawn(file: string, args: readonly string[], options: object): Pty
}

export interface TerminalProgram {
  readonly pty: Pty
  /** Where what the program wrote is drawn, a moment later. */
  readonly emulator: Terminal
  /** Everything that the program wrote. */
  readonly bytes: () => string
  readonly screen: () => string
  readonly alternate: () => boolean
  /** What the program asked of it. */
  readonly modes: () => IModes
  type(text: string): void
  /** Both the program's size and the emulator's. */
  resize(columns: number, rows: number): void
  /** Resolves when the screen shows it; throws with the screen after 40 s. */
  shows(text: string): Promise<void>
  /** Resolves when the screen no longer shows it. */
  lacks(text: string): Promise<void>
  /** Resolves when the screen, which is whole then, is as it should be. */
  until(holds: (screen: string) => boolean, what: string): Promise<void>
  /** Resolves when all that it wrote is drawn, too. */
  readonly ended: Promise<{ exitCode: number; signal?: number }>
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Of the size that the terminal is to have. */
  readonly emulator: Terminal
}

/** Whoever calls sees to it that the program ends. */
export function runInTerminal({ file, args, env = process.env, cwd, emulator }: Program): TerminalProgram {
  const pty = spawn(file, [...args], {
    cols: emulator.cols,
    rows: emulator.rows,
    // It goes before what the environment says.
    name: env['TERM'] ?? 'xterm-256color',
    env,
    ...(cwd === undefined ? {} : { cwd }),
  })
  const watchers = new Set<() => void>()
  const pieces: string[] = []
  pty.onData((data) => {
    pieces.push(data)
    emulator.write(data, () => {
      for (const watcher of watchers) watcher()
    })
  })
  emulator.onData((reply) => pty.write(reply))
  const screen = (): string => screenOf(emulator)
  const until = (holds: (shown: string) => boolean, what: string): Promise<void> =>
    waitFor(
      () => !emulator.modes.synchronizedOutputMode && holds(screen()),
      watchers,
      () => `${what}:\n${screen()}`,
    )
  const ended = new Promise<{ exitCode: number; signal?: number }>((resolve) => {
    pty.onExit((end) => emulator.write('', () => resolve(end)))
  })
  return {
    pty,
    emulator,
    bytes: () => pieces.join(''),
    screen,
    alternate: () => emulator.buffer.active.type === 'alternate',
    modes: () => emulator.modes,
    type: (text) => pty.write(text),
    resize: (cols, rowCount) => {
      emulator.resize(cols, rowCount)
      pty.resize(cols, rowCount)
    },
    shows: (text) => until((shown) => shown.includes(text), `'${text}' is not on the screen`),
    lacks: (text) => until((shown) => !shown.includes(text), `'${text}' is still on the screen`),
    until,
    ended,
  }
}

function screenOf({ buffer: { active } }: Terminal): string {
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
    const limit = setTimeout(() => settle(() => reject(new Error(explain()))), 40_000)
    watchers.add(look)
    look()
  })
}
