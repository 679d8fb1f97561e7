// Opens the emulator as both the host and the panes use it. Both need the same widths of characters, or a pane would
// show another screen than the host keeps. It is loaded when a terminal is opened, so that no command pays for it.

import type { ITerminalOptions, Terminal } from '@xterm/headless'

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
  return terminal
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
