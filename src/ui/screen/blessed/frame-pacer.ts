// When frames are drawn: at most 60 a second, none while the terminal has not taken the last one, and what cannot wait, as
// the echo of a key, at once.

export const FRAME_MS = 1000 / 60

export interface FramePacer {
  /** A frame with the next turn, or as soon as the last one is old enough. */
  request(): void
  requestAfter(ms: number): void
  /** With the next turn, without waiting for a frame's time and without moving it. */
  requestUrgent(): void
  /** The same, within this call. */
  drawUrgent(): void
  /** The terminal takes no more, or the screen is somebody else's; requests are kept. */
  block(): void
  unblock(): void
  stop(): void
}

export interface Draws {
  /** Says whether there was anything to write: what was not drawn takes no frame's time. */
  frame(): boolean
  urgent(): void
}

export const paceFrames = (draws: Draws): FramePacer => new Pacer(draws)

type Stop = () => void

class Pacer implements FramePacer {
  readonly #draws: Draws
  #last = Number.NEGATIVE_INFINITY
  #blocked = false
  #wanted = false
  #stopFrame: Stop | null = null
  #stopUrgent: Stop | null = null
  #stopLater: Stop | null = null

  constructor(draws: Draws) {
    this.#draws = draws
  }

  request(): void {
    if (this.#blocked) this.#wanted = true
    else this.#stopFrame ??= soon(() => this.#draw(), this.#last + FRAME_MS - performance.now())
  }

  requestAfter(ms: number): void {
    this.#stopLater?.()
    this.#stopLater = soon(() => this.request(), ms)
  }

  requestUrgent(): void {
    this.#stopUrgent ??= soon(() => this.drawUrgent(), 0)
  }

  drawUrgent(): void {
    this.#stopUrgent?.()
    this.#stopUrgent = null
    if (this.#blocked) this.#wanted = true
    else this.#draws.urgent()
  }

  block(): void {
    this.#blocked = true
  }

  unblock(): void {
    this.#blocked = false
    if (this.#wanted) this.request()
  }

  stop(): void {
    this.#blocked = true
    for (const stop of [this.#stopFrame, this.#stopUrgent, this.#stopLater]) stop?.()
  }

  #draw(): void {
    this.#stopFrame = null
    this.#wanted = this.#blocked
    if (!this.#blocked && this.#draws.frame()) this.#last = performance.now()
  }
}

function soon(work: () => void, ms: number): Stop {
  if (ms <= 0) {
    const immediate = setImmediate(work)
    return () => clearImmediate(immediate)
  }
  const timeout = setTimeout(work, Math.ceil(ms))
  return () => clearTimeout(timeout)
}
