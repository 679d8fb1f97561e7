// What the program in a pane has asked of its terminal, read from the emulator.

import type { KeyboardModes } from '../../../core/emulator/keyboard-modes.ts'
import { type Insides, usesAlternate } from '../../../core/emulator/xterm-insides.ts'
import type { PaneModes } from './pane.ts'

export function readModes(insides: Insides, keyboard: KeyboardModes): PaneModes {
  const { decPrivateModes: modes } = insides.coreService
  const { activeProtocol, activeEncoding } = insides.coreMouseService
  return {
    application_cursor: modes.applicationCursorKeys,
    application_keypad: modes.applicationKeypad,
    bracketed_paste: modes.bracketedPasteMode,
    focus_reports: modes.sendFocus,
    mouse: MICE[activeProtocol] ?? 'none',
    mouse_encoding: ENCODINGS[activeEncoding] ?? 'default',
    kitty_flags: keyboard.flags(),
    modify_other_keys: keyboard.otherKeys(),
    alternate_screen: usesAlternate(insides),
  }
}

const MICE: Readonly<Record<string, PaneModes['mouse']>> = {
  X10: 'x10',
  VT200: 'vt200',
  DRAG: 'drag',
  ANY: 'any',
}
const ENCODINGS: Readonly<Record<string, PaneModes['mouse_encoding']>> = {
  SGR: 'sgr',
  SGR_PIXELS: 'sgr_pixels',
}
