// A terminal that draws what it is given, and its visible screen as data: what stands in each cell and how.

import xterm, { type IBufferCell, type Terminal } from '@xterm/headless'

/** A terminal like those of the dashboard's panes, with widths by grapheme cluster. */
export async function openTerminal(columns: number, rows: number): Promise<Terminal> {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true })
  const pool = Buffer.poolSize
  Buffer.poolSize = 0
  const { default: addon } = await import('@xterm/addon-unicode-graphemes')
  terminal.loadAddon(new addon.UnicodeGraphemesAddon())
  Buffer.poolSize = pool
  return terminal
}

export const drawOn = (terminal: Terminal, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => terminal.write(data, resolve))

export interface Cells {
  /** Text, with the history first. */
  readonly rows: readonly string[]
  readonly looks: readonly (readonly string[])[]
  readonly cursor: readonly [number, number]
  readonly screen: 'normal' | 'alternate'
}

export function readCells(terminal: Terminal): Cells {
  const buffer = terminal.buffer.active
  const lines = Array.from({ length: buffer.baseY + terminal.rows }, (_, row) => buffer.getLine(row))
  return {
    rows: lines.map((line) => line?.translateToString().trimEnd() ?? ''),
    looks: lines.map((line) => {
      const cells = Array.from({ length: terminal.cols }, (_, column) => line?.getCell(column))
      return cells.map((cell) => (cell === undefined ? '' : lookOf(cell)))
    }),
    cursor: [buffer.cursorX, buffer.cursorY],
    screen: buffer.type,
  }
}

/** Only what can be seen of a blank counts. */
function lookOf(cell: IBufferCell): string {
  const ground = [cell.getBgColorMode(), cell.getBgColor(), cell.isInverse()]
  if (cell.getChars().trim() === '' && !cell.isInverse()) return ground.join()
  const letter = [cell.getWidth(), cell.getFgColorMode(), cell.getFgColor(), cell.isBold(), cell.isItalic()]
  return [...ground, ...letter, cell.isUnderline(), cell.isStrikethrough()].join()
}
