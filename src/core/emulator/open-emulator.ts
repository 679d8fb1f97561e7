// Opens the emulator as both the host and the panes use it. Both need the same widths of characters, or a pane would
// show another screen than the host keeps. It is loaded when a terminal is opened, so that no command pays for it.

import type { ITerminalOptions, Terminal } from '@xterm/headless'
import { mendMarks } from './mend-marks.ts'
import { mendRuns } from './mend-runs.ts'
import { mendAlternate, mendFullHistory, mendSavedCursor } from './mend-screens.ts'
import { mendColours, mendErasing, mendRepeating, mendReset } from './mend-sequences.ts'
import { insidesOf } from './xterm-insides.ts'

export async function openEmulator(
  size: { readonly columns: number; readonly rows: number },
  options: ITerminalOptions = {},
): Promise<Terminal> {
  const { default: xterm } = await import('@xterm/headless')
  const terminal = new xterm.Terminal({
    ...options,
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    logLevel: 'off',
  })
  await loadGraphemes(terminal)
  mendEmulation(terminal)
  return terminal
}

/** Pinned to the version of the emulator, like its insides. */
function mendEmulation(terminal: Terminal): void {
  const insides = insidesOf(terminal)
  mendColours(insides)
  mendReset(terminal, insides)
  mendErasing(insides)
  mendRepeating(insides)
  mendRuns(insides)
  mendMarks(insides)
  mendAlternate(terminal, insides)
  mendSavedCursor(insides)
  mendFullHistory(insides)
}

/**
 * Its tables are decoded as if they began where a Buffer's memory does. That is true only of buffers outside of Node's
 * pool.
 */
async function loadGraphemes(terminal: Terminal): Promise<void> {
  const pool = Buffer.poolSize
  Buffer.poolSize = 0
  try {
    const { default: addon } = await import('@xterm/addon-unicode-graphemes')
    terminal.loadAddon(new addon.UnicodeGraphemesAddon())
  } finally {
    Buffer.poolSize = pool
  }
}
