// Brings scenes and panes to the person's terminal in frames. Each frame is complete, and none comes faster than the
// terminal takes them.

import type { Canvas, CanvasOptions, ScreenOutput } from '../canvas.ts'
import type { Pane } from '../pane/pane.ts'
import type { Scene, Size } from '../scene.ts'
import type { ScreenTheme } from '../screen-theme.ts'
import { type CursorState, formatCursorMove, HIDDEN_CURSOR } from './cursor.ts'
import { type FramePacer, paceFrames } from './frame-pacer.ts'
import { HeldPanes } from './held-panes.ts'
import { Picture } from './picture.ts'

const ECHO_MS = 100
const SYNC = { begin: '\x1b[?2026h', end: '\x1b[?2026l' }
const HIDE_CURSOR = '\x1b[?25l'
/**
 * Turns wrapping off while we draw: if a terminal takes a character for wider than we do, it must not reach the next
 * row.
 */
const NO_WRAP = '\x1b[?7l'
const RELEASE = '\x1b[?7h\x1b[0 q\x1b[?25h'

export const createCanvas = (options: CanvasOptions): Canvas => new BlessedCanvas(options)

class BlessedCanvas implements Canvas {
  readonly #output: ScreenOutput
  readonly #panes = new Map<string, Pane>()
  readonly #unsubscribe = new Map<string, () => void>()
  readonly #picture: Picture
  readonly #pacer: FramePacer
  readonly #held = new HeldPanes()
  /** Panes that have changed since they were drawn; and those among them that cannot wait. */
  readonly #damaged = new Set<string>()
  readonly #urgent = new Set<string>()
  readonly #echoUntil = new Map<string, number>()
  #typedInto: string | null = null
  #cursor: CursorState = HIDDEN_CURSOR
  #startsOver = true
  #blank = true
  #paused = false
  #waiting = false

  constructor({ output, size, theme }: CanvasOptions) {
    this.#output = output
    this.#picture = new Picture(size, theme, this.#panes)
    this.#pacer = paceFrames({ frame: () => this.#drawFrame(), urgent: () => this.#drawUrgent() })
    output.onDrain(() => this.#goOn({ waiting: false }))
  }

  show(scene: Scene): void {
    this.#picture.show(scene)
    // The first scene is drawn now, and not after everything else that starts with the dashboard.
    if (this.#blank) this.#pacer.drawUrgent()
    else this.#pacer.request()
  }

  addPane(pane: Pane): void {
    this.removePane(pane.id)
    this.#panes.set(pane.id, pane)
    this.#picture.damage(pane.id)
    this.#unsubscribe.set(
      pane.id,
      pane.onChange(() => this.#onChange(pane)),
    )
    this.#onChange(pane)
  }

  removePane(id: string): void {
    this.#unsubscribe.get(id)?.()
    this.#unsubscribe.delete(id)
    if (this.#panes.delete(id)) this.#picture.damage(id)
    this.#held.forget(id)
    this.#damaged.delete(id)
    this.#urgent.delete(id)
    this.#echoUntil.delete(id)
  }

  expectEcho(id: string): void {
    this.#echoUntil.set(id, performance.now() + ECHO_MS)
    this.#typedInto = id
    this.#pacer.typed()
  }

  resize(size: Size): void {
    this.#picture.resize(size)
    this.#startOver()
  }

  setTheme(theme: ScreenTheme): void {
    this.#picture.setTheme(theme)
    this.#pacer.request()
  }

  repaint(): void {
    this.#startOver()
    this.#goOn({ paused: false })
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#pacer.block()
    this.#output.write(RELEASE)
  }

  dispose(): void {
    this.#pacer.stop()
    for (const id of [...this.#panes.keys()]) this.removePane(id)
    this.#picture.dispose()
    if (!this.#paused) this.#output.write(RELEASE)
  }

  #startOver(): void {
    this.#startsOver = true
    this.#pacer.request()
  }

  #onChange(pane: Pane): void {
    if (!this.#picture.shows(pane.id)) return
    this.#damaged.add(pane.id)
    if (this.#held.isReleased(pane)) {
      this.#urgent.add(pane.id)
      // Drawn now, because the program's next frame may begin before this turn ends.
      this.#pacer.drawUrgent()
    } else if ((this.#echoUntil.get(pane.id) ?? 0) > performance.now()) {
      this.#urgent.add(pane.id)
      this.#pacer.requestUrgent()
    } else if (pane.id === this.#typedInto) this.#pacer.request()
    else this.#pacer.requestBeside()
  }

  #drawFrame(): boolean {
    const wrote = this.#draw(this.#damaged)
    const { remaining } = this.#held
    if (remaining !== null && this.#damaged.size > 0) this.#pacer.requestAfter(remaining)
    return wrote
  }

  /** What other panes have printed waits for its own frame. */
  #drawUrgent(): void {
    this.#draw(this.#urgent)
    if (this.#damaged.size > 0) this.#pacer.requestBeside()
  }

  /** Draws only the changed panes in `wanted`. The others keep showing what they show. */
  #draw(wanted: ReadonlySet<string>): boolean {
    const kept = this.#held.among([...this.#panes.values()].filter(({ id }) => this.#picture.shows(id)))
    for (const id of [...this.#damaged]) {
      if (!wanted.has(id)) kept.add(id)
      if (kept.has(id)) continue
      const pane = this.#panes.get(id)
      if (pane !== undefined) this.#picture.damageChanged(pane)
      this.#damaged.delete(id)
    }
    this.#urgent.clear()
    const start = this.#startsOver ? NO_WRAP : ''
    if (this.#startsOver) this.#picture.startOver()
    this.#startsOver = false
    const drawn = this.#picture.draw(kept)
    return this.#writeFrame(start + drawn.cells, drawn.cursor ?? this.#cursor)
  }

  #writeFrame(cells: string, cursor: CursorState): boolean {
    const moved = formatCursorMove(this.#cursor, cursor, cells !== '')
    this.#cursor = cursor
    this.#blank = false
    if (cells === '' && moved === '') return false
    this.#write(`${SYNC.begin}${cells === '' ? '' : HIDE_CURSOR}${cells}${moved}${SYNC.end}`)
    return true
  }

  #write(text: string): void {
    if (this.#output.write(text)) return
    this.#waiting = true
    this.#pacer.block()
  }

  #goOn(state: { readonly paused?: false; readonly waiting?: false }): void {
    this.#paused = state.paused ?? this.#paused
    this.#waiting = state.waiting ?? this.#waiting
    if (!this.#paused && !this.#waiting) this.#pacer.unblock()
  }
}
