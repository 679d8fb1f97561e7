// A person's terminal around a program, read as bytes: an emulator here would take CPU from what is measured.

import { createRequire } from 'node:module'
import type { Size } from '../../src/ui/screen/scene.ts'

interface Pty {
  readonly pid: number
  onData(listener: (data: string) => void): void
  onExit(listener: () => void): void
  write(data: string): void
  kill(signal: string): void
}

/** node-pty's prebuilt package declares its types under another name. */
const { spawn } = createRequire(import.meta.url)('node-pty') as {
  spawn(file: string, args: readonly string[], options: object): Pty
}

export const USUAL_SIZE: Size = { columns: 200, rows: 60 }
const PATIENCE_MS = 30_000

export interface OuterTerminal {
  readonly pid: number
  type(text: string): void
  /** Resolves once the program has written `text`, with the milliseconds since this call. Rejects after 30 s. */
  writes(text: string): Promise<number>
  end(): Promise<void>
}

export interface OuterProgram {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
}

export function openOuterTerminal({ argv, cwd, env }: OuterProgram): OuterTerminal {
  const [file, ...args] = argv
  const pty = spawn(file, args, {
    cols: USUAL_SIZE.columns,
    rows: USUAL_SIZE.rows,
    cwd,
    name: 'xterm-256color',
    env: { ...process.env, ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
  })
  const listeners = new Set<(data: string) => void>()
  pty.onData((data) => {
    for (const listener of listeners) listener(data)
  })
  const ended = new Promise<void>((resolve) => pty.onExit(resolve))
  return {
    pid: pty.pid,
    type: (text) => pty.write(text),
    writes: (text) => waitForText(listeners, text),
    end: async () => {
      pty.kill('SIGTERM')
      await ended
    },
  }
}

type Listeners = Set<(data: string) => void>

function waitForText(listeners: Listeners, text: string): Promise<number> {
  const began = performance.now()
  let seen = ''
  return new Promise((resolve, reject) => {
    const look = (data: string): void => {
      seen = seen.slice(-text.length) + data
      if (seen.includes(text)) settle(() => resolve(performance.now() - began))
    }
    const timer = setTimeout(() => settle(() => reject(new Error(`'${text}' was not written`))), PATIENCE_MS)
    const settle = (done: () => void): void => {
      clearTimeout(timer)
      listeners.delete(look)
      done()
    }
    listeners.add(look)
  })
}
