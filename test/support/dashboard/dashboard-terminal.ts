// The built dashboard in a person's terminal, used by keys: what its tree and its pane show, and whether the pane shows
// what the agent's host has.

import { expect } from 'vitest'
import { openEmulator } from '../../../src/core/emulator/open-emulator.ts'
import { hostDoor } from '../../../src/runners/host-client/host-door.ts'
import { layOut } from '../../../src/ui/screen/layout.ts'
import { innerRect, type Rect, type Size } from '../../../src/ui/screen/scene.ts'
import type { Desk } from '../processes/cli.ts'
import { HOST_ENTRY } from '../processes/invocation.ts'
import type { OuterTerminal } from '../processes/outer-terminal.ts'
import { waitUntil } from '../run/wait.ts'
import { wrongCells } from '../terminal/cell-looks.ts'
import { drawOn } from '../terminal/cells.ts'
import { type DashboardWindow, openDashboardWindow } from './dashboard-window.ts'

export interface DashboardTerminal extends DashboardWindow {
  /** The place of the one pane on the stage, in cells. */
  pane(): Rect
  /** The text of the one pane. */
  paneText(): string
  /** Resolves when a row of the tree has all of the words. */
  rowSays(...words: readonly string[]): Promise<void>
  /** Resolves when no cell of the pane differs from the host's screen of the invocation. */
  showsAllOf(id: string): Promise<void>
}

export async function openDashboard(
  desk: Desk,
  size: Size = { columns: 120, rows: 40 },
): Promise<DashboardTerminal> {
  const terminal = await openDashboardWindow(desk, { size, env: { COLORTERM: 'truecolor' } })
  const { emulator } = terminal
  const layout = () => layOut({ columns: emulator.cols, rows: emulator.rows }, { count: 1, zoomed: false })
  const pane = (): Rect => innerRect(layout().slots[0]?.rect ?? { x: 0, y: 0, width: 0, height: 0 })
  const textOf = ({ x, y, width, height }: Rect): string[] =>
    Array.from(
      { length: height },
      (_, row) => emulator.buffer.active.getLine(y + row)?.translateToString(true, x, x + width) ?? '',
    )
  const tree = (): string[] => textOf(layout().tree ?? pane())
  return {
    ...terminal,
    pane,
    paneText: () => textOf(pane()).join('\n').trimEnd(),
    rowSays: async (...words) => {
      const says = (): boolean => tree().some((row) => words.every((word) => row.includes(word)))
      await waitUntil(says, { what: words.join(' ') }).catch((error: Error) => {
        throw new Error(`${error.message}\n${terminal.screen()}`)
      })
    },
    showsAllOf: (id) => comparePane(desk, id, { terminal, pane }),
  }
}

interface Shown {
  readonly terminal: OuterTerminal
  readonly pane: () => Rect
}

/** Compares the pane with what another client of the same size gets. That client changes nothing for the agent. */
async function comparePane(desk: Desk, id: string, { terminal, pane }: Shown): Promise<void> {
  const place = pane()
  const size = { columns: place.width, rows: place.height }
  const inner = await openEmulator(size)
  const draw = (bytes: Uint8Array): void => void drawOn(inner, bytes)
  const socket = (await desk.data<{ invocation: { host: { socket_path: string } } }>('agent', 'show', id))
    .invocation.host.socket_path
  const attachment = await hostDoor(HOST_ENTRY).attach(socket, size, {
    onSnapshot: draw,
    onData: draw,
    onEnd: () => {},
  })
  try {
    const look = () => wrongCells({ inner, outer: terminal.emulator, place })
    await expect.poll(look, { interval: 20 }).toEqual([])
  } finally {
    attachment.detach()
    inner.dispose()
  }
}
