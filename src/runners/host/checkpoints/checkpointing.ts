// Takes checkpoints of a sandbox while its runner lives, and one at the end. Never holds up the runner's output or a
// person's keys. If something fails here, that becomes an event and nothing else.

import { setTimeout as sleep } from 'node:timers/promises'
import type { LockDoors } from '../../../core/doors/system/lock.ts'
import type { CheckpointSettings } from '../../../core/model/checkpoint-settings.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { EventKind } from '../../../core/model/event.ts'
import type { HostLaunch } from '../../../core/model/runner.ts'
import { appendEvent } from '../../../core/store/events.ts'
import type { RepoPaths } from '../../../core/store/paths.ts'
import { createSchedule, type Due, HOLD, type Schedule } from './checkpoint-schedule.ts'
import type { CheckpointWork } from './checkpoint-work.ts'

export interface Checkpointing {
  turnEnded(): void
  /** A key was pressed. */
  typed(): void
  /** The runner has ended: takes one last checkpoint, and no more after that. */
  finish(): Promise<void>
  /** Everything is on record: does what is left to do, and ends. Called even if the runner never ran. */
  close(): Promise<void>
}

export interface CheckpointDoors extends LockDoors {
  readonly paths: RepoPaths
}

const NONE: Checkpointing = {
  turnEnded: () => {},
  typed: () => {},
  finish: async () => {},
  close: async () => {},
}

/** Milliseconds before anything is loaded: most runs that fail do so at once. */
const HEAD_START = 1500
/** Milliseconds between two thinnings of the list. */
const THINNING_PAUSE = 60 * 60_000
/** Paths that are remembered. If there are more, the whole tree is looked at. */
const MOST_PENDING = 500
/** Milliseconds after a change in which the watcher may still tell it, because it gathers changes. */
const LATEST_WORD = 1000
const WORD_STEP = 50

export function startCheckpointing(launch: HostLaunch, doors: CheckpointDoors): Checkpointing {
  if (launch.checkpoint === null) return NONE
  const now = (): number => doors.clock.elapsed()
  return new CheckpointPacer(launch, {
    ...doors,
    settings: launch.checkpoint,
    schedule: createSchedule(launch.checkpoint, now()),
    now,
  })
}

interface PacerDoors extends CheckpointDoors {
  readonly settings: CheckpointSettings
  readonly schedule: Schedule
  readonly now: () => number
}

class CheckpointPacer implements Checkpointing {
  private readonly launch: HostLaunch
  private readonly doors: PacerDoors
  private readonly told = new Set<string>()
  /** null: not all of them are known. */
  private pending: Set<string> | null = null
  private starter: NodeJS.Timeout
  private timer: NodeJS.Timeout | null = null
  private work: Promise<CheckpointWork> | null = null
  private taking: Promise<void> = Promise.resolve()
  private busy = false
  private ended = false
  private thinned: number

  constructor(launch: HostLaunch, doors: PacerDoors) {
    this.launch = launch
    this.doors = doors
    this.thinned = doors.now()
    this.starter = this.startLater(HEAD_START)
  }

  readonly turnEnded = (): void => {
    this.doors.schedule.turnEnded(this.doors.now())
    this.wakeUp()
  }

  readonly typed = (): void => {
    this.doors.schedule.typed(this.doors.now())
  }

  async finish(): Promise<void> {
    this.stop()
    await this.taking
    await this.take({ reason: 'exit', turn: null, whole: true })
  }

  async close(): Promise<void> {
    this.stop()
    await this.taking
    await this.thin()
    const work = await this.opened()
    await work?.close()
    await work?.keepLook().catch((error: unknown) => console.error(error))
  }

  private stop(): void {
    this.ended = true
    clearTimeout(this.starter)
    if (this.timer !== null) clearTimeout(this.timer)
  }

  private load(): Promise<CheckpointWork> {
    this.work ??= import('./checkpoint-work.ts').then(({ openWork }) => openWork(this.launch, this.doors))
    return this.work
  }

  /** null if no checkpoint was to be taken, or none could be. */
  private readonly opened = async (): Promise<CheckpointWork | null> =>
    (await this.work?.catch(() => null)) ?? null

  /** While somebody types it waits a little longer, because loading the code for checkpoints would make a key wait. */
  private startLater(ms: number): NodeJS.Timeout {
    const start = (): void => {
      const { schedule, now } = this.doors
      if (schedule.isHeld(now())) this.starter = this.startLater(HOLD.hold_ms)
      else void this.watch()
    }
    return setTimeout(start, ms).unref()
  }

  private async watch(): Promise<void> {
    const { schedule, now } = this.doors
    try {
      const work = await this.load()
      if (this.ended) return
      await work.watch({ onPaths: this.changed, onUnknown: this.unknown, onFailed: this.blind })
      schedule.watched(true, now())
      this.unknown()
    } catch (error) {
      this.blind(error)
    }
  }

  private readonly blind = (error: unknown): void => {
    if (this.ended) return
    this.tell('watch_failed', `files are not watched, only looked at now and then: ${reasonFor(error)}`)
    this.doors.schedule.watched(false, this.doors.now())
    this.unknown()
  }

  private readonly unknown = (): void => {
    this.pending = null
    this.noteChange()
  }

  private readonly changed = (paths: readonly string[]): void => {
    for (const path of paths) this.pending?.add(path)
    if ((this.pending?.size ?? 0) > MOST_PENDING) this.pending = null
    if (!paths.every(isLock)) this.noteChange()
  }

  private noteChange(): void {
    this.doors.schedule.changed(this.doors.now())
    this.wakeUp()
  }

  /** One timer, for whatever is next. It does not keep the host alive. */
  private wakeUp(): void {
    if (this.ended || this.busy) return
    if (this.timer !== null) clearTimeout(this.timer)
    const next = this.doors.schedule.next()
    if (next === null) return
    this.timer = setTimeout(() => this.look(), Math.max(0, next - this.doors.now()) + 1).unref()
  }

  private look(): void {
    const due = this.doors.schedule.due(this.doors.now())
    if (due !== null) {
      this.busy = true
      this.taking = this.takeAndThin(due).finally(() => {
        this.busy = false
        this.wakeUp()
      })
    } else this.wakeUp()
  }

  private async takeAndThin(due: Due): Promise<void> {
    await this.take(due)
    if (this.doors.now() - this.thinned >= THINNING_PAUSE) await this.thin()
  }

  /** If it fails, it is done an hour later, or by `agency gc`. */
  private async thin(): Promise<void> {
    this.thinned = this.doors.now()
    const work = await this.opened()
    await work?.thin(this.doors.settings).catch((error: unknown) => console.error(error))
  }

  private async take(due: Due | { reason: 'exit'; turn: null; whole: true }): Promise<void> {
    const { schedule, now, settings } = this.doors
    if (due.reason !== 'exit') schedule.began(due, now())
    try {
      const work = await this.load()
      const known = work.seesAll() ? this.pending : null
      this.pending = new Set()
      const paths = due.whole ? null : known
      const { differing } = await work.take({ reason: due.reason, turn: due.turn, settings, paths })
      if (known !== null && due.whole && (await this.hasMissed(known, await differing()))) work.watchAnew()
    } catch (error) {
      this.pending = null
      this.tell('checkpoint_failed', `no checkpoint could be taken: ${reasonFor(error)}`)
    }
  }

  /** Whether the look at the tree found something that the watcher has not told. */
  private async hasMissed(known: ReadonlySet<string>, differing: readonly string[] | null): Promise<boolean> {
    const untold = (): string[] =>
      (differing ?? []).filter((path) => !isCovered(known, path) && !isCovered(this.pending, path))
    // A change of a moment ago may be told a moment later.
    for (let waited = 0; untold().length > 0 && waited < LATEST_WORD; waited += WORD_STEP) {
      await sleep(WORD_STEP)
    }
    const missed = untold()
    if (missed.length === 0 || this.pending === null) return false
    const some = missed.slice(0, 3).join(', ')
    const more = missed.length > 3 ? ` and ${missed.length - 3} more` : ''
    this.tell('checkpoint_corrected', `the watcher had not told what changed in ${some}${more}`)
    return true
  }

  /** Says each thing once: what fails every ten seconds must not fill the events. */
  private tell(kind: EventKind, message: string): void {
    if (this.told.has(message) || this.told.size > 100) return
    this.told.add(message)
    try {
      appendEvent(this.doors.paths, this.launch.invocation_id, { kind, message })
    } catch (error) {
      console.error(error)
    }
  }
}

const isLock = (path: string): boolean => path.endsWith('.lock') || path.endsWith('.lck')

const reasonFor = (error: unknown): string =>
  error instanceof AgencyError ? error.message : error instanceof Error ? error.message : String(error)

/** Whether the path is known, or a directory above it. null covers everything. */
function isCovered(known: ReadonlySet<string> | null, path: string): boolean {
  if (known === null || known.has(path)) return true
  const end = path.lastIndexOf('/')
  return end > 0 && isCovered(known, path.slice(0, end))
}
