// The emulator that knows what a headed runner's screen looks like, so that whoever attaches sees it at once. The only
// file of the host that reaches into xterm's insides; its version is pinned exactly for that reason.

import addonSerialize, { type SerializeAddon } from '@xterm/addon-serialize'
import xterm, { type Terminal } from '@xterm/headless'
import { modesBehind, placesBefore, type XtermInsides } from './mode-tail.ts'
import { wholeLength } from './sequence-boundary.ts'
import { type AnswerDoors, answerQueries } from './terminal-answers.ts'

export interface Screen {
  /** Takes a chunk; returns what of it, and of what was held back before, has been drawn. */
  feed(chunk: Uint8Array): Uint8Array
  resize(columns: number, rows: number): void
  snapshot(scrollback: number): string
}

export const SCROLLBACK = 1000
/** An unfinished sequence of this length is passed on as it is. */
const LONGEST_HELD = 1 << 16

interface Insides extends XtermInsides {
  /** Parses at once. The public write() parses later, in slices, and would need a queue here and for each client. */
  writeSync(data: Uint8Array): void
}

export async function openScreen(
  size: { columns: number; rows: number },
  doors: AnswerDoors,
): Promise<Screen> {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: SCROLLBACK,
    allowProposedApi: true,
    logLevel: 'off',
    windowOptions: { getWinSizeChars: true },
  })
  const serializer = new addonSerialize.SerializeAddon()
  terminal.loadAddon(serializer)
  await loadGraphemes(terminal)
  terminal.onData(doors.reply)
  const modes = answerQueries(terminal, doors)
  const insides = (terminal as unknown as { _core: Insides })._core
  let held = Buffer.alloc(0)
  return {
    feed: (chunk) => {
      const bytes = Buffer.concat([held, chunk])
      const whole = bytes.length > LONGEST_HELD ? bytes.length : wholeLength(bytes)
      held = Buffer.from(bytes.subarray(whole))
      insides.writeSync(bytes.subarray(0, whole))
      return bytes.subarray(0, whole)
    },
    resize: (columns, rows) => terminal.resize(columns, rows),
    snapshot: (scrollback) =>
      placesBefore(terminal, insides) +
      drawScreens(terminal, serializer, scrollback) +
      modesBehind(terminal, insides) +
      modes.keyboard(),
  }
}

/** The addon forgets that the pen, with which the normal screen ended, still draws when the alternate one begins. */
function drawScreens(terminal: Terminal, serializer: SerializeAddon, scrollback: number): string {
  const whole = serializer.serialize({ scrollback })
  if (terminal.buffer.active.type === 'normal') return whole
  const normal = serializer.serialize({ scrollback, excludeAltBuffer: true, excludeModes: true })
  return `${normal}\x1b[m${whole.slice(normal.length)}`
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
