// Keeps output that nobody looks at yet, until there is enough to be worth waking the emulator, or until somebody
// looks: waking it for each word costs many times what drawing costs.

export interface LateDrawing {
  /** Keeps a copy. If there is enough, it is drawn, but only after what is going on now. */
  add(bytes: Uint8Array): void
  /** Draws what is kept. */
  catchUp(): void
}

/** Bytes that are drawn in a millisecond or two, so that no key has to wait longer for them. */
const WORTH_DRAWING = 1 << 14
const MOST_KEPT = 1 << 16

export function createLateDrawing(draw: (bytes: Uint8Array) => void): LateDrawing {
  const kept = Buffer.allocUnsafeSlow(MOST_KEPT)
  let filled = 0
  let due = false
  const catchUp = (): void => {
    const bytes = kept.subarray(0, filled)
    filled = 0
    if (bytes.length > 0) draw(bytes)
  }
  const soon = (): void => {
    if (due) return
    due = true
    setImmediate(() => {
      due = false
      catchUp()
    })
  }
  return {
    add: (bytes) => {
      if (bytes.length > kept.length - filled) catchUp()
      if (bytes.length > kept.length) return draw(bytes)
      kept.set(bytes, filled)
      filled += bytes.length
      if (filled >= WORTH_DRAWING) soon()
    },
    catchUp,
  }
}
