// The emulator, as the host and the panes both run it: the same widths of characters on both sides, or a pane would show
// another screen than the one that the host keeps. Loaded when a terminal is opened, so that no command pays for it.

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

/** Its tables are decoded from a Buffer's memory as if it began there: only true of buffers outside Node's pool. */
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
