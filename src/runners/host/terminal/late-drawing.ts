// Output that nobody looks at yet, kept until there is so much of it that it is worth waking the emulator for, or until
// somebody looks: an emulator that is woken for each word costs many times what it costs at work.

export interface LateDrawing {
  /** Keeps a copy. Full, it draws, but only after what is under way has been done. */
  add(bytes: Uint8Array): void
  /** Draws what is kept. */
  catchUp(): void
}

/** Bytes that are drawn in a millisecond or two: no key waits longer for them. */
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
