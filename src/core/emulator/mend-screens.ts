// What the emulator does to a screen when its size or its lines change, mended so that it does not depend on how much
// history there is: a host keeps less of it than a pane.

import type { Terminal } from '@xterm/headless'
import type { Insides } from './xterm-insides.ts'

/**
 * An alternate screen has no history. While it is not in use, the emulator only makes room for it, but never takes any
 * away, and what was scrolled out later would come back when it grows.
 */
export function mendAlternate(terminal: Terminal, { buffers }: Insides): void {
  terminal.onResize(({ rows }) => {
    if (buffers.alt.lines.length === 0) buffers.alt.lines.maxLength = rows
  })
}

/** A saved cursor is a place on the screen. The emulator takes it for a line, which goes up as others scroll in. */
export function mendSavedCursor(insides: Insides): void {
  const service = insides._bufferService
  const { scroll } = service
  // Called for each line that scrolls in.
  service.scroll = (eraseAttr, isWrapped) => {
    const buffer = insides.buffers.active
    const before = buffer.ybase
    scroll.call(service, eraseAttr, isWrapped)
    buffer.savedY += buffer.ybase - before
  }
}
