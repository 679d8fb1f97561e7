// What the program in a pane asked of its terminal, as the emulator keeps it.

import type { Terminal } from '@xterm/headless'
import type { KeyboardModes } from '../../../core/terminal/keyboard-modes.ts'
import { insidesOf } from '../../../core/terminal/xterm-insides.ts'
import type { PaneModes } from './pane.ts'

export function readModes(terminal: Terminal, keyboard: KeyboardModes): PaneModes {
  const { modes } = terminal
  return {
    application_cursor: modes.applicationCursorKeysMode,
    application_keypad: modes.applicationKeypadMode,
    bracketed_paste: modes.bracketedPasteMode,
    focus_reports: modes.sendFocusMode,
    mouse: modes.mouseTrackingMode,
    mouse_encoding: mouseEncoding(insidesOf(terminal).coreMouseService.activeEncoding),
    kitty_flags: keyboard.flags(),
    modify_other_keys: keyboard.otherKeys(),
    alternate_screen: terminal.buffer.active.type === 'alternate',
  }
}

function mouseEncoding(name: string): PaneModes['mouse_encoding'] {
  if (name === 'SGR') return 'sgr'
  return name === 'SGR_PIXELS' ? 'sgr_pixels' : 'default'
}
