// Joins the terminals on the stage to their hosts, and leaves those that are no longer shown. A terminal that was shown
// a moment ago stays joined, so that going back and forth is instant.

import type { Agency } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { Attachment } from '../../../core/model/runner.ts'
import type { Canvas } from '../canvas.ts'
import type { Pane } from '../pane/pane.ts'
import type { Size } from '../scene.ts'
import type { PaneFacts } from '../state/dashboard-state.ts'
import type { StagedPane } from '../state/stage.ts'
import { replayRecording } from './replay-recording.ts'

/** Terminals that stay joined although they are not on the stage. */
const KEPT_HIDDEN = 2
/** Milliseconds that a terminal must be wanted before it is joined, so that passing over rows joins none. */
const SETTLE = 60
/** Milliseconds before a terminal that could not be joined is tried again. */
const RETRY = 1000
/** The most keys that wait until a terminal is joined. */
const MOST_TYPED = 1000
/**
 * Milliseconds before we join again after a host has cut us off, which it does to a client that lags too far behind.
 */
const REJOIN = 200

export interface PaneDoors {
  readonly agency: Agency
  readonly canvas: Canvas
  readonly openPane: (id: string, size: Size) => Promise<Pane>
  readonly onFacts: (id: string, facts: PaneFacts) => void
}

export class PaneKeeper {
  readonly #doors: PaneDoors
  readonly #joined = new Map<string, JoinedPane>()
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  /** What was typed before a terminal could take it, in order. */
  readonly #typed = new Map<string, (() => void)[]>()

  constructor(doors: PaneDoors) {
    this.#doors = doors
  }

  /** Joins and leaves terminals until they are those that are wanted. Cheap if nothing has changed. */
  sync(wanted: readonly StagedPane[]): void {
    for (const [id, timer] of this.#waiting) {
      if (wanted.some((pane) => pane.id === id)) continue
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
    for (const id of this.#typed.keys()) if (!wanted.some((pane) => pane.id === id)) this.#typed.delete(id)
    for (const pane of wanted) this.#want(pane)
    this.#leaveOthers(new Set(wanted.map(({ id }) => id)))
  }

  get(id: string): Pane | null {
    return this.#joined.get(id)?.pane ?? null
  }

  /** Does `work` now, or as soon as the terminal takes keys. Never, if the terminal is left or ends before that. */
  whenJoined(id: string, work: () => void): void {
    const before = this.#typed.get(id)
    if (before === undefined && this.#joined.get(id)?.takesKeys === true) work()
    else if (before === undefined) this.#typed.set(id, [work])
    else if (before.length < MOST_TYPED) before.push(work)
  }

  write(id: string, bytes: Uint8Array): void {
    this.#joined.get(id)?.type(bytes)
  }

  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    for (const joined of this.#joined.values()) joined.leave()
    this.#joined.clear()
    this.#typed.clear()
  }

  #want(pane: StagedPane): void {
    if (pane.host === 'awaited') return
    const joined = this.#joined.get(pane.id)
    if (joined !== undefined && !joined.isOutdated(pane)) {
      this.#joined.delete(pane.id)
      this.#joined.set(pane.id, joined)
      joined.resize(pane.size)
      return
    }
    if (this.#waiting.has(pane.id)) return
    this.#waiting.set(
      pane.id,
      setTimeout(() => this.#join(pane), this.#joined.size === 0 ? 0 : SETTLE),
    )
  }

  #join(pane: StagedPane): void {
    this.#waiting.delete(pane.id)
    this.#joined.get(pane.id)?.leave()
    const onJoined = (): void => this.#takeTyped(pane.id)
    const onGone = (): void => void this.#typed.delete(pane.id)
    this.#joined.set(pane.id, new JoinedPane(pane, { ...this.#doors, onJoined, onGone }))
  }

  #takeTyped(id: string): void {
    const typed = this.#typed.get(id) ?? []
    this.#typed.delete(id)
    for (const work of typed) work()
  }

  /** The map is in order of use: the first was used the longest ago. */
  #leaveOthers(wanted: ReadonlySet<string>): void {
    const hidden = [...this.#joined.keys()].filter((id) => !wanted.has(id))
    for (const id of hidden.slice(0, Math.max(0, hidden.length - KEPT_HIDDEN))) {
      this.#joined.get(id)?.leave()
      this.#joined.delete(id)
    }
  }
}

interface JoiningDoors extends PaneDoors {
  /** Called when keys reach the program from now on. */
  readonly onJoined: () => void
  /** Called when no key will ever reach it. */
  readonly onGone: () => void
}

class JoinedPane {
  readonly #id: string
  readonly #doors: JoiningDoors
  /** Whether it was running when it was joined. */
  readonly #live: boolean
  #size: Size
  #pane: Pane | null = null
  #attachment: Attachment | null = null
  #state: PaneFacts['state'] = 'joining'
  #failure: string | null = null
  #left = false
  #failedAt: number | null = null

  constructor({ id, size, host }: StagedPane, doors: JoiningDoors) {
    this.#id = id
    this.#doors = doors
    this.#live = host === 'there'
    this.#size = size
    this.#tell()
    this.#open().catch((error: unknown) => this.#fail(error))
  }

  get takesKeys(): boolean {
    return this.#attachment !== null && this.#state === 'live'
  }

  get pane(): Pane | null {
    return this.#pane
  }

  /**
   * Whether to join anew: its host has appeared, or could not be joined a while ago; or the run has ended and can be
   * replayed.
   */
  isOutdated({ host }: StagedPane): boolean {
    if (host !== 'there') return this.#live && this.#state === 'failed'
    return !this.#live || (this.#failedAt !== null && performance.now() - this.#failedAt > RETRY)
  }

  type(bytes: Uint8Array): void {
    this.#attachment?.write(bytes)
    this.#pane?.scrollToEnd()
  }

  resize(size: Size): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return
    this.#size = size
    this.#pane?.resize(size)
    this.#attachment?.resize(size.columns, size.rows)
  }

  leave(): void {
    this.#left = true
    this.#attachment?.detach()
    if (this.#pane === null) return
    this.#doors.canvas.removePane(this.#id)
    this.#pane.dispose()
  }

  async #open(): Promise<void> {
    const pane = await this.#doors.openPane(this.#id, this.#size)
    if (this.#left) {
      pane.dispose()
      return
    }
    this.#pane = pane
    pane.resize(this.#size)
    this.#doors.canvas.addPane(pane)
    pane.onChange(() => this.#tell())
    if (this.#live) await this.#attach(pane)
    else await this.#replay(pane)
  }

  async #attach(pane: Pane): Promise<void> {
    const size = this.#size
    const attachment = await this.#doors.agency.attach(this.#id, size, {
      onSnapshot: (bytes) => {
        drawSnapshot(pane, bytes, size)
        pane.resize(this.#size)
        this.#become('live')
      },
      onState: (bytes) => {
        pane.load(bytes)
        pane.resize(this.#size)
        this.#become('live')
      },
      onData: (bytes) => pane.write(bytes),
      onEnd: (end) => {
        if (end === null) this.#rejoinLater(pane)
        else this.#become('ended')
      },
    })
    if (this.#left) {
      attachment.detach()
      return
    }
    this.#attachment = attachment
    if (size !== this.#size) attachment.resize(this.#size.columns, this.#size.rows)
    if (this.takesKeys) this.#doors.onJoined()
  }

  /** The last screen stays until the next snapshot comes. */
  #rejoinLater(pane: Pane): void {
    this.#attachment = null
    setTimeout(() => {
      if (!this.#left) this.#attach(pane).catch((error: unknown) => this.#fail(error, 'ended'))
    }, REJOIN)
  }

  async #replay(pane: Pane): Promise<void> {
    const { cast } = await this.#doors.agency.logPaths(this.#id)
    await replayRecording(cast, pane, () => this.#left)
    if (this.#left) return
    pane.resize(this.#size)
    this.#become('ended')
  }

  #become(state: PaneFacts['state']): void {
    this.#state = state
    this.#tell()
    if (this.takesKeys) this.#doors.onJoined()
    else if (this.#live && state !== 'live') this.#doors.onGone()
  }

  #fail(error: unknown, state: 'failed' | 'ended' = 'failed'): void {
    if (this.#left) return
    const known = error instanceof AgencyError || error instanceof Error
    this.#failure = known ? error.message : String(error)
    this.#failedAt = performance.now()
    this.#become(state)
  }

  #tell(): void {
    if (this.#left) return
    const pane = this.#pane
    const modes = pane?.modes
    this.#doors.onFacts(this.#id, {
      state: this.#state,
      title: pane?.title ?? '',
      scrolled: pane?.scrolled ?? 0,
      mouse: modes !== undefined && modes.mouse !== 'none',
      alternate_screen: modes?.alternate_screen ?? false,
      failure: this.#failure,
    })
  }
}

/** Draws on a pane of the snapshot's size first, because rows and columns in the snapshot are counted for that size. */
function drawSnapshot(pane: Pane, bytes: Uint8Array, size: Size): void {
  pane.reset()
  pane.resize(size)
  pane.write(bytes)
}
