import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { findAll, readPaneRange } from '../../../../src/ui/screen/pane/pane-lines.ts'

const SIZE = { columns: 10, rows: 4 }
/** Fills more than the screen, and has no end of a line in it. */
const ONE_LINE = 'abcdefghijklm'.repeat(8)

test.each([
  ['the screen', '', 100],
  ['a screen without history', '', 0],
  ['the alternate screen', '\x1b[?1049h', 100],
])(
  'a text is found and copied in one line that fills %s, beyond which an emulator begins again',
  async (_, before, scrollback) => {
    const terminal = await openEmulator(SIZE, { scrollback })
    insidesOf(terminal).writeSync(Buffer.from(`${before}${ONE_LINE}`))
    const { active } = terminal.buffer
    const all = { from: { line: 0, column: 0 }, to: { line: active.length - 1, column: SIZE.columns - 1 } }
    const shown = readPaneRange(active, all).trimEnd()
    expect(ONE_LINE.endsWith(shown)).toBe(true)
    expect(findAll(active, 'ghi')).toHaveLength(shown.split('ghi').length - 1)
    expect(findAll(active, 'ghi').length).toBeGreaterThan(1)
    expect(readPaneRange(active, { ...all, to: { line: active.length + 7, column: 9 } }).trimEnd()).toBe(
      shown,
    )
    terminal.dispose()
  },
)
