// When frames are drawn: at most 60 a second, none while the terminal has not taken the last one, and the echo of a key
// at once.

export const FRAME_MS = 1000 / 60

export interface FramePacer {
  /** A frame with the next turn, or as soon as the last one is old enough. */
  request(): void
  /** With the next turn, without waiting for a frame's time and without moving it. */
  requestEcho(): void
  /** A frame at once where one is due, and requested otherwise. */
  drawIfDue(): void
  requestAfter(ms: number): void
  /** The terminal takes no more, or the screen is somebody else's; requests are kept. */
  block(): void
  unblock(): void
  stop(): void
}

export interface Draws {
  frame(): void
  echo(): void
}

export function paceFrames(draws: Draws): FramePacer {
  let last = Number.NEGATIVE_INFINITY
  let blocked = false
  let wanted = false
  let stopFrame: (() => void) | null = null
  let stopEcho: (() => void) | null = null
  let stopLater: (() => void) | null = null

  const draw = (): void => {
    stopFrame?.()
    stopFrame = null
    if (blocked) wanted = true
    else {
      wanted = false
      draws.frame()
      last = performance.now()
    }
  }
  const request = (): void => {
    if (blocked) wanted = true
    else stopFrame ??= soon(draw, last + FRAME_MS - performance.now())
  }
  return {
    request,
    requestEcho: () => {
      if (blocked) wanted = true
      else
        stopEcho ??= soon(() => {
          stopEcho = null
          if (blocked) wanted = true
          else draws.echo()
        }, 0)
    },
    drawIfDue: () => {
      if (!blocked && performance.now() >= last + FRAME_MS) draw()
      else request()
    },
    requestAfter: (ms) => {
      stopLater?.()
      stopLater = soon(request, ms)
    },
    block: () => {
      blocked = true
    },
    unblock: () => {
      blocked = false
      if (wanted) request()
    },
    stop: () => {
      stopFrame?.()
      stopEcho?.()
      stopLater?.()
    },
  }
}

function soon(work: () => void, ms: number): () => void {
  if (ms <= 0) {
    const immediate = setImmediate(work)
    return () => clearImmediate(immediate)
  }
  const timeout = setTimeout(work, ms)
  return () => clearTimeout(timeout)
}
