// A canvas and the terminal that it draws on, and the recordings to draw.

import { readFileSync } from 'node:fs'
import type { Terminal } from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { openEmulator } from '../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../src/core/emulator/xterm-insides.ts'
import { createCanvas } from '../../../src/ui/screen/blessed/create-canvas.ts'
import type { Canvas } from '../../../src/ui/screen/canvas.ts'
import { makeTheme } from '../../../src/ui/screen/make-theme.ts'
import type { Size } from '../../../src/ui/screen/scene.ts'
import type { ScreenTheme } from '../../../src/ui/screen/screen-theme.ts'

export interface Stage {
  readonly canvas: Canvas
  readonly outer: Terminal
  /** Everything that the canvas wrote. */
  readonly bytes: () => string
  readonly writes: () => number
  /** The listener is told of the next write, once. */
  onWrite(listener: () => void): void
  resize(size: Size): void
  /** Resolves to true when the predicate holds, or to false after 60 s. Looks after each turn of the event loop. */
  until(holds: () => boolean): Promise<boolean>
}

export interface StageOptions {
  readonly theme?: ScreenTheme
  readonly outer?: Terminal
}

const DARK = makeTheme({ depth: 'true', background: 'dark', ascii: false })

export async function openStage(size: Size, options: StageOptions = {}): Promise<Stage> {
  const { theme = DARK, outer = await openEmulator(size) } = options
  const written: string[] = []
  const listeners: (() => void)[] = []
  const output = {
    write: (text: string) => {
      written.push(text)
      insidesOf(outer).writeSync(Buffer.from(text))
      for (const listener of listeners.splice(0)) listener()
      return true
    },
    onDrain: () => {},
  }
  const canvas = createCanvas({ output, size, theme })
  onTestFinished(() => canvas.dispose())
  return {
    canvas,
    outer,
    bytes: () => written.join(''),
    writes: () => written.length,
    onWrite: (listener) => {
      listeners.push(listener)
    },
    resize: (to) => {
      outer.resize(to.columns, to.rows)
      canvas.resize(to)
    },
    until,
  }
}

export async function until(holds: () => boolean): Promise<boolean> {
  const limit = performance.now() + 60_000
  while (!holds()) {
    if (performance.now() > limit) return false
    await new Promise((resolve) => setImmediate(resolve))
  }
  return true
}

export const RECORDED_STREAMS: Readonly<Record<string, Size>> = {
  claude: { columns: 110, rows: 36 },
  codex: { columns: 110, rows: 36 },
  'git-log': { columns: 100, rows: 30 },
  less: { columns: 100, rows: 30 },
  'python-ncurses': { columns: 100, rows: 30 },
  tmux: { columns: 100, rows: 30 },
  top: { columns: 100, rows: 30 },
  vim: { columns: 100, rows: 30 },
}

export const readStream = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/streams/${name}.bytes`, import.meta.url))
