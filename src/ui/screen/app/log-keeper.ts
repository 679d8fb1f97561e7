// Reads the logs that the stage shows, and follows them as long as they are shown.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Agency } from '../../../core/facade/agency.ts'
import { asOurError } from '../../../core/model/system-failure.ts'
import type { LogFile } from '../../log/log-file.ts'
import { shownFile } from '../log/log-state.ts'
import { olderWanted } from '../log/older-log.ts'
import { isSearching } from '../log/search-log.ts'
import type { DashboardState } from '../state/dashboard-state.ts'
import type { Message } from '../state/message.ts'
import { slotOf, stagedLogs } from '../state/stage.ts'

export interface LogDoors {
  readonly agency: Agency
  readonly dispatch: (message: Message) => void
}

/** Logs that are still read although they are not on the stage, so that going back to one is instant. */
const KEPT_HIDDEN = 2
/** Milliseconds between two looks at a log that is hidden or has ended. Others are looked at every 100. */
const SLOW_LOOK = 1000
const LOOK = 100

interface KeptLog {
  /** One reading for the readable form and one for the raw lines, if these were shown. */
  readonly readings: Map<LogFile['form'], AbortController>
  /** Whether new lines are likely to be seen. */
  live: boolean
}

export class LogKeeper {
  readonly #doors: LogDoors
  readonly #opening = new Set<string>()
  /** The one used last comes last. */
  readonly #kept = new Map<string, KeptLog>()
  /** Parts that are being read: the invocation, and the byte where the part ends. */
  readonly #older = new Set<string>()
  #searching: NodeJS.Immediate | null = null

  constructor(doors: LogDoors) {
    this.#doors = doors
  }

  /** Starts and stops reading, so that what is shown is read. */
  sync(state: DashboardState): void {
    const shown = stagedLogs(state)
    for (const id of shown) this.#show(state, id)
    const hidden = [...this.#kept.keys()].filter((id) => !shown.includes(id))
    for (const id of hidden) this.#hide(id)
    for (const id of hidden.slice(0, Math.max(0, hidden.length - KEPT_HIDDEN))) this.#drop(id)
  }

  close(): void {
    for (const id of [...this.#kept.keys()]) this.#stop(id)
    if (this.#searching !== null) clearImmediate(this.#searching)
  }

  #show(state: DashboardState, id: string): void {
    const log = state.logs[id]
    if (log === undefined) {
      if (!this.#opening.has(id)) void this.#open(id)
      return
    }
    const kept = this.#kept.get(id) ?? { readings: new Map(), live: true }
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    kept.live = !log.ended
    const file = shownFile(log)
    if (!kept.readings.has(file.form)) void this.#follow(id, file, kept)
    const slot = slotOf(state, id)
    const before =
      slot === null ? null : olderWanted(log, { columns: slot.rect.width, rows: slot.rect.height })
    if (before !== null) void this.#readOlder(id, file, before)
    if (isSearching(log)) this.#searchOn(id)
  }

  #hide(id: string): void {
    const kept = this.#kept.get(id)
    if (kept !== undefined) kept.live = false
  }

  #drop(id: string): void {
    this.#stop(id)
    this.#doors.dispatch({ kind: 'log_closed', id })
  }

  #stop(id: string): void {
    for (const stop of this.#kept.get(id)?.readings.values() ?? []) stop.abort()
    this.#kept.delete(id)
  }

  async #open(id: string): Promise<void> {
    const { agency, dispatch } = this.#doors
    this.#opening.add(id)
    try {
      dispatch({ kind: 'log_opened', id, paths: await agency.logPaths(id) })
    } catch (error) {
      dispatch({ kind: 'told', told: { level: 'failed', lines: [messageOf(error).message] } })
    } finally {
      this.#opening.delete(id)
    }
  }

  async #follow(id: string, file: LogFile, kept: KeptLog): Promise<void> {
    const { dispatch } = this.#doors
    const stop = new AbortController()
    const { signal } = stop
    kept.readings.set(file.form, stop)
    const nextLook = (): Promise<void> =>
      sleep(kept.live ? LOOK : SLOW_LOOK, undefined, { signal }).catch(() => {})
    try {
      const { readLog } = await import('../../log/read-log.ts')
      for await (const batch of readLog(file, { signal, nextLook })) {
        if (signal.aborted) return
        dispatch({ kind: 'log_batch', id, batch })
      }
    } catch (error) {
      if (!signal.aborted) dispatch({ kind: 'log_failed', id, error: messageOf(error) })
    }
  }

  async #readOlder(id: string, file: LogFile, before: number): Promise<void> {
    const part = `${id}:${file.form}:${before}`
    if (this.#older.has(part)) return
    this.#older.add(part)
    const { dispatch } = this.#doors
    try {
      const { readOlder } = await import('../../log/read-log.ts')
      dispatch({ kind: 'log_batch', id, batch: await readOlder(file, before) })
    } catch (error) {
      dispatch({ kind: 'log_failed', id, error: messageOf(error) })
    } finally {
      this.#older.delete(part)
    }
  }

  /** Searches a long log in slices, so that keys are handled in between. */
  #searchOn(id: string): void {
    this.#searching ??= setImmediate(() => {
      this.#searching = null
      this.#doors.dispatch({ kind: 'log_search', id })
    })
  }
}

export function messageOf(error: unknown): { code: string; message: string; hint: string } {
  const { code, message, hint } = asOurError(error)
  return { code, message, hint: code === 'E_INTERNAL' ? '' : hint }
}
