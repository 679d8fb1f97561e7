// When frames are drawn: at most 60 a second, none while the terminal has not taken the last one, and what cannot wait, as
// the echo of a key, at once. While somebody types, what is printed beside it comes half as often and behind the echo: a
// frame that is being drawn when a key comes makes it wait.

export const FRAME_MS = 1000 / 60
/** The same beside somebody who types: for so long after a key that came so soon after another one. */
const BESIDE_MS = 2 * FRAME_MS
const TYPING_MS = 300
/** Milliseconds that an echo usually takes: what is printed meanwhile is drawn behind it. */
const USUAL_ECHO_MS = 8

export interface FramePacer {
  /** A frame with the next turn, or as soon as the last one is old enough. */
  request(): void
  /** The same for what nobody waits for. */
  requestBeside(): void
  requestAfter(ms: number): void
  /** Without waiting for a frame's time and without moving it: an echo within this call, all else with the next turn. */
  requestUrgent(): void
  /** The same, within this call. */
  drawUrgent(): void
  /** A key was passed on, and what is urgent next is its echo. */
  typed(): void
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

export const paceFrames = (draws: Draws): FramePacer => new TimedPacer(draws)

type StopTimer = () => void

/** Of a frame that is planned: nobody waits for what is `beside`, but it is put off for an echo only once. */
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
