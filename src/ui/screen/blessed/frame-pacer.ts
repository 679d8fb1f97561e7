// Decides when frames are drawn: at most 60 a second, and none before the terminal has taken the last one. What cannot
// wait, such as the echo of a key (k), is drawn at once. While somebody types, what nobody waits for comes half as
// often, and after the echo, because a key that arrives while a frame is being drawn has to wait for it.
//
//   request         F ─── 17 ms ─── F ─── 17 ms ─── F        as soon as the last frame is old enough
//   requestUrgent              k  e                          in the same call, and the next frame stays where it is
//   requestBeside   F ──────────── 33 ms ────────── F        beside typing; never in the 8 ms after k in which e comes

export const FRAME_MS = 1000 / 60
/**
 * Milliseconds between two frames that nobody waits for, while somebody types: for TYPING_MS after a key that followed
 * another one.
 */
const BESIDE_MS = 2 * FRAME_MS
const TYPING_MS = 300
/** Milliseconds that an echo usually takes. What is printed in that time is drawn after it. */
const USUAL_ECHO_MS = 8

export interface FramePacer {
  /** Draws a frame in the next turn, or when the last frame is old enough. */
  request(): void
  /** The same for something that nobody waits for. */
  requestBeside(): void
  requestAfter(ms: number): void
  /**
   * Draws without waiting for a frame's time: an echo within this call, anything else in the next turn. Other frames
   * keep their times.
   */
  requestUrgent(): void
  /** The same, always within this call. */
  drawUrgent(): void
  /** Says that a key was passed on: the next urgent request is its echo. */
  typed(): void
  /** Called when the terminal takes no more, or the screen is somebody else's. Requests are kept. */
  block(): void
  unblock(): void
  stop(): void
}

export interface Draws {
  /** Returns whether anything was written. If not, the next frame need not wait. */
  frame(): boolean
  urgent(): void
}

export const paceFrames = (draws: Draws): FramePacer => new TimedPacer(draws)

type StopTimer = () => void

/** How a planned frame may wait. Nobody waits for what is `beside`, but it is put off for an echo only once. */
type Wait = 'none' | 'beside' | 'put off'

interface PlannedFrame {
  readonly wait: Wait
  readonly stop: StopTimer
}

class TimedPacer implements FramePacer {
  readonly #draws: Draws
  #last = Number.NEGATIVE_INFINITY
  #typed = Number.NEGATIVE_INFINITY
  #typesUntil = Number.NEGATIVE_INFINITY
  #awaitsEcho = false
  #blocked = false
  #wanted = false
  #frame: PlannedFrame | null = null
  #stopUrgent: StopTimer | null = null
  #stopLater: StopTimer | null = null

  constructor(draws: Draws) {
    this.#draws = draws
  }

  request(): void {
    if (this.#blocked) this.#wanted = true
    else if (this.#frame?.wait !== 'none') this.#plan(this.#last + FRAME_MS, 'none')
  }

  requestBeside(): void {
    if (this.#blocked) this.#wanted = true
    else if (this.#frame === null) this.#plan(this.#besideAt(), 'beside')
  }

  requestAfter(ms: number): void {
    this.#stopLater?.()
    this.#stopLater = soon(() => this.request(), ms)
  }

  requestUrgent(): void {
    const isEcho = this.#awaitsEcho
    this.#awaitsEcho = false
    if (isEcho) this.drawUrgent()
    else this.#stopUrgent ??= soon(() => this.drawUrgent(), 0)
  }

  drawUrgent(): void {
    this.#stopUrgent?.()
    this.#stopUrgent = null
    if (this.#blocked) this.#wanted = true
    else this.#draws.urgent()
  }

  typed(): void {
    const now = performance.now()
    if (now - this.#typed < TYPING_MS) this.#typesUntil = now + TYPING_MS
    this.#typed = now
    this.#awaitsEcho = true
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
    for (const stop of [this.#frame?.stop, this.#stopUrgent, this.#stopLater]) stop?.()
  }

  #plan(due: number, wait: Wait): void {
    this.#frame?.stop()
    this.#frame = { wait, stop: soon(() => this.#draw(wait), due - performance.now()) }
  }

  #besideAt(): number {
    const next = this.#last + (performance.now() < this.#typesUntil ? BESIDE_MS : FRAME_MS)
    return this.#awaitsEcho ? Math.max(next, this.#typed + USUAL_ECHO_MS) : next
  }

  #draw(wait: Wait): void {
    this.#frame = null
    const putOff = wait === 'beside' && !this.#blocked && this.#besideAt() > performance.now()
    if (putOff) this.#plan(this.#besideAt(), 'put off')
    else this.#drawNow()
  }

  #drawNow(): void {
    this.#wanted = this.#blocked
    if (!this.#blocked && this.#draws.frame()) this.#last = performance.now()
  }
}

function soon(work: () => void, ms: number): StopTimer {
  if (ms <= 0) {
    const immediate = setImmediate(work)
    return () => clearImmediate(immediate)
  }
  const timeout = setTimeout(work, Math.ceil(ms))
  return () => clearTimeout(timeout)
}
