// The built dashboard on a terminal of its own, beside a desk.

import { type Desk, PROGRAM } from './cli.ts'
import { type OuterTerminal, openTerminalAt, type Place } from './outer-terminal.ts'

export interface OpenOptions extends Place {
  readonly args?: readonly string[]
}

export const openDashboard = (desk: Desk, options: OpenOptions = {}): OuterTerminal =>
  openTerminalAt([process.execPath, PROGRAM, ...(options.args ?? [])], {
    cwd: desk.root,
    ...options,
    env: { ...process.env, ...desk.env, ...options.env },
  })

export const KEYS = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  leave: '\x1c',
  submit: '\x13',
  page_up: '\x1b[5~',
} as const
