// A person's terminal: a real pty, an emulator that reads it, and waiting for what it shows.

import { createRequire } from 'node:module'
import { type IModes, Terminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'

interface Pty {
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

export interface OuterTerminal {
  readonly pty: Pty
  readonly emulator: Terminal
  /** Everything that the program wrote. */
  readonly bytes: () => string
  readonly screen: () => string
  readonly alternate: () => boolean
  /** What the program asked of it. */
  readonly modes: () => IModes
  type(text: string): void
  resize(columns: number, rows: number): void
  /** Resolves when the screen shows it; throws with the screen after 10 s. */
  shows(text: string): Promise<void>
  readonly ended: Promise<{ exitCode: number; signal?: number }>
}

export function openTerminal(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): OuterTerminal {
  return openTerminalOn(new Terminal({ cols: 80, rows: 24, allowProposedApi: true }), [file, ...args], env)
}

/** The window has the size of the emulator. */
export function openTerminalOn(
  emulator: Terminal,
  [file, ...args]: readonly [file: string, ...args: readonly string[]],
  env: NodeJS.ProcessEnv = process.env,
): OuterTerminal {
  const pty = spawn(file, args, {
    cols: emulator.cols,
    rows: emulator.rows,
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color' },
  })
  const watchers = new Set<() => void>()
  let bytes = ''
  pty.onData((data) => {
    bytes += data
    emulator.write(data, () => {
      for (const watcher of watchers) watcher()
    })
  })
  emulator.onData((reply) => pty.write(reply))
  const screen = (): string => {
    const { active } = emulator.buffer
    const lines = Array.from(
      { length: active.length },
      (_, at) => active.getLine(at)?.translateToString(true) ?? '',
    )
    return lines.join('\n').trimEnd()
  }
  const ended = new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve))
  onTestFinished(() => pty.kill('SIGKILL'))
  return {
    pty,
    emulator,
    bytes: () => bytes,
    screen,
    alternate: () => emulator.buffer.active.type === 'alternate',
    modes: () => emulator.modes,
    type: (text) => pty.write(text),
    resize: (columns, rows) => {
      emulator.resize(columns, rows)
      pty.resize(columns, rows)
    },
    shows: (text) =>
      waitFor(
        () => screen().includes(text),
        watchers,
        () => `'${text}' is not on the screen:\n${screen()}`,
      ),
    ended,
  }
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
