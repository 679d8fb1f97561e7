// What the emulator does to a screen when its size or its lines change, mended so that it does not depend on how much
// history there is: a host keeps less of it than a pane.

import type { Terminal } from '@xterm/headless'
import type { InnerBuffer, InnerLine, Insides } from './xterm-insides.ts'

/**
 * An alternate screen has no history. While it is not in use, the emulator only makes room for it, but never takes any
 * away, and what was scrolled out later would come back when it grows.
 */
export function mendAlternate(terminal: Terminal, { buffers }: Insides): void {
  terminal.onResize(({ rows }) => {
    if (buffers.alt.lines.length === 0) buffers.alt.lines.maxLength = rows
  })
}

/**
 * A saved cursor is a place on the screen. The emulator takes it for a line, which goes up as others scroll in, and
 * loses it in a resize if the history is full.
 */
export function mendSavedCursor(insides: Insides): void {
  const service = insides._bufferService
  const { scroll, resize } = service
  // Called for each line that scrolls in.
  service.scroll = (eraseAttr, isWrapped) => {
    const buffer = insides.buffers.active
    const before = buffer.ybase
    scroll.call(service, eraseAttr, isWrapped)
    buffer.savedY += buffer.ybase - before
  }
  service.resize = (columns, rows) => {
    const follow = followSavedLine(insides.buffers.normal)
    resize.call(service, columns, rows)
    follow()
  }
}

/**
 * Call it after lines were wrapped anew: the saved cursor is in its line again, or in the first one of its paragraph. It
 * may be below the last line, and then stays as far from the screen's first one.
 */
function followSavedLine(buffer: InnerBuffer): () => void {
  const { lines, savedY, ybase } = buffer
  // Beyond its end the list begins again.
  const at = (place: number): InnerLine | undefined => (place < lines.length ? lines.get(place) : undefined)
  let first = savedY
  while (first > 0 && at(first)?.isWrapped === true) first--
  const [saved, begun] = [at(savedY), at(first)]
  return () => {
    const places = [placeOf(saved, buffer), placeOf(begun, buffer)]
    buffer.savedY = places.find((place) => place >= 0) ?? Math.max(0, buffer.ybase + savedY - ybase)
  }
}

/** -1 if it is gone. Markers would not do: they are lost where lines leave the history in a resize. */
function placeOf(line: InnerLine | undefined, { lines }: InnerBuffer): number {
  let place = line === undefined ? -1 : lines.length - 1
  while (place >= 0 && lines.get(place) !== line) place--
  return place
}

const guarded = new WeakSet<object>()

/**
 * If the history is full, wrapping lines anew puts those that have no room in it before its beginning, which is the
 * place of the screen's last lines.
 */
export function mendFullHistory({ buffers }: Insides): void {
  const list = Object.getPrototypeOf(buffers.normal.lines) as InnerBuffer['lines']
  if (guarded.has(list)) return
  guarded.add(list)
  const { set } = list
  list.set = function (this: InnerBuffer['lines'], index, line) {
    if (index >= 0) set.call(this, index, line)
  }
}
