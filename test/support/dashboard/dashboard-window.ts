// The built dashboard in a person's terminal. Keys are typed into it, and the test sees the cells of that terminal.

import { openEmulator } from '../../../src/core/emulator/open-emulator.ts'
import { layOut } from '../../../src/ui/screen/layout.ts'
import { innerRect, type Rect, type Size } from '../../../src/ui/screen/scene.ts'
import { type Desk, PROGRAM } from '../processes/cli.ts'
import { type OuterTerminal, openOn } from '../processes/outer-terminal.ts'

export const KEYS = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  backTab: '\x1b[Z',
  /** Submits a form. */
  submit: '\x13',
  /** Ctrl-\\ */
  giveBack: '\x1c',
  interrupt: '\x03',
} as const

export interface DashboardWindow extends OuterTerminal {
  readonly size: Size
  /** Where the terminals are on a stage with so many of them. */
  places(count: number): Rect[]
}

export interface WindowOptions {
  readonly size?: Size
  readonly env?: Readonly<Record<string, string>>
  /** A program to run instead of the dashboard. It is given the dashboard's command line. */
  readonly under?: readonly [file: string, ...args: string[]]
}

export async function openDashboardWindow(desk: Desk, options: WindowOptions = {}): Promise<DashboardWindow> {
  const { size = { columns: 120, rows: 36 }, env = {}, under = [] } = options
  const [file = process.execPath, ...args] = [...under, process.execPath, PROGRAM]
  const terminal = openOn({
    file,
    args,
    cwd: desk.root,
    env: { ...process.env, ...desk.env, ...env },
    emulator: await openEmulator(size, { scrollback: 100 }),
  })
  return {
    ...terminal,
    size,
    places: (count) => layOut(size, { count, zoomed: false }).slots.map(({ rect }) => innerRect(rect)),
  }
}
