// A program in a real pty, an emulator that reads what it draws, and ways to wait for what that shows.

import { createRequire } from 'node:module'
import type { IModes, Terminal } from '@xterm/headless'

interface Pty {
  readonly pid: number
  onData(listener: (data: string) => void): void
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void
  write(data: string): void
  resize(columns: number, rows: number): void
  kill(signal: string): void
  /** What the program writes stays unread. */
  pause(): void
  resume(): void
  /** Closes the terminal's window. */
  destroy(): void
}

/** node-pty's prebuilt package declares its types under another name. */
const { spawn } = createRequire(import.meta.url)('node-pty') as {
  spawn(file: string, args: readonly string[], options: object): Pty
}

export interface TerminalProgram {
  readonly pty: Pty
  /** Draws what the program wrote, a moment later. */
  readonly emulator: Terminal
  /** Everything that the program wrote. */
  readonly bytes: () => string
  readonly screen: () => string
  readonly alternate: () => boolean
  /** What the program has asked of its terminal. */
  readonly modes: () => IModes
  type(text: string): void
  /** Changes the size of both the pty and the emulator. */
  resize(columns: number, rows: number): void
  /** Resolves when the screen shows the text; rejects with the screen after 60 s. */
  shows(text: string): Promise<void>
  /** Resolves when the screen no longer shows the text; rejects with the screen after 60 s. */
  lacks(text: string): Promise<void>
  /** Resolves when `holds` is true of a screen with a complete frame; rejects with the screen after 60 s. */
  until(holds: (screen: string) => boolean, what: string): Promise<void>
  /** Resolves when the program has ended and everything that it wrote is drawn. */
  readonly ended: Promise<{ exitCode: number; signal?: number }>
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The emulator has the size that the terminal is to have. */
  readonly emulator: Terminal
}

/** The caller sees to it that the program ends. */
export function runInTerminal({ file, args, env = process.env, cwd, emulator }: Program): TerminalProgram {
  const pty = spawn(file, [...args], {
    cols: emulator.cols,
    rows: emulator.rows,
    // node-pty takes TERM from here rather than from the environment.
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
    const limit = setTimeout(() => settle(() => reject(new Error(explain()))), 60_000)
    watchers.add(look)
    look()
  })
}
