// Reads records again when they have changed: those that the watcher names, running ones every two seconds, and all of
// them now and then. One reading at a time; what is asked for meanwhile is read after it, together.

import type { Agency } from '../../../core/facade/agency.ts'
import type { InvocationId, WorktreeId } from '../../../core/model/ids.ts'
import { isActive, isClosed } from '../../../core/model/invocation.ts'
import type { RecordChange, RecordWatch } from '../../../core/model/record-watch.ts'
import { asOurError } from '../../../core/model/system-failure.ts'
import type { WorktreeRecord } from '../../../core/model/worktree.ts'
import { unread } from './derive-snapshot.ts'
import {
  type KnownRecords,
  learnAll,
  learnBranches,
  learnOperations,
  learnSome,
  learnWorktrees,
  NOTHING_KNOWN,
  sameItems,
} from './known-records.ts'
import type { Pace } from './pace.ts'
import { repeatUnheld } from './repeat-unheld.ts'
import type { Snapshot } from './snapshot.ts'

export type ReadingState = Pick<
  Snapshot,
  'archived_shown' | 'taken_at' | 'stale_since' | 'trouble' | 'watching'
> & { readonly known: KnownRecords }

export interface RecordReader {
  state(): ReadingState
  refresh(id?: InvocationId): void
  showArchived(shown: boolean): void
  /** Resolves when nothing is being read any more. */
  close(): Promise<void>
}

export interface ReaderOptions {
  readonly agency: Agency
  readonly pace: Pace
  /** Milliseconds in which only told changes are looked at, because somebody types. */
  readonly heldFor: () => number
  /** The state is another one. */
  readonly changed: () => void
}

export function createRecordReader(options: ReaderOptions): RecordReader {
  const reader = new OpenReader(options)
  reader.begin()
  return reader
}

/** If there are more, they are shown in portions: ten thousand new rows at once could be felt. */
const MOST_AT_ONCE = 500

interface AskedRead {
  readonly all: boolean
  readonly worktrees: boolean
  readonly operations: boolean
  readonly branches: boolean
}

const NOTHING_ASKED: AskedRead = { all: false, worktrees: false, operations: false, branches: false }

interface NamedRecords {
  readonly invocations: readonly InvocationId[]
  readonly worktrees: readonly WorktreeId[]
}

const NOTHING_NAMED: NamedRecords = { invocations: [], worktrees: [] }

class OpenReader implements RecordReader {
  readonly #options: ReaderOptions
  #state: ReadingState = {
    known: NOTHING_KNOWN,
    archived_shown: false,
    taken_at: null,
    stale_since: null,
    trouble: null,
    watching: 'live',
  }
  #asked: AskedRead = NOTHING_ASKED
  /** Ids to be read one by one. They are kept until they have been read. */
  readonly #wanted = new Set<InvocationId>()
  #busy = false
  #reading: Promise<void> = Promise.resolve()
  #watch: Promise<RecordWatch | null> = Promise.resolve(null)
  /** The records that the last lines of the log name. They may be written after those lines. */
  #named: NamedRecords = NOTHING_NAMED
  #followed: readonly string[] = []
  #stopLooking: (() => void)[] = []
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  state(): ReadingState {
    return this.#state
  }

  begin(): void {
    const { agency, pace, heldFor } = this.#options
    // The watch begins before anything is read, so that no change is missed in between.
    this.#watch = agency
      .watchRecords({
        changed: (change) => this.#heard(change),
        slowed: () => this.#become({ watching: 'polling' }),
      })
      .catch(() => {
        this.#become({ watching: 'polling' })
        return null
      })
    this.#stopLooking = [
      repeatUnheld({ every: () => pace.active_ms, heldFor, work: () => this.#askForActive() }),
      repeatUnheld({ every: () => pace.all_ms, heldFor, work: () => this.#ask({ all: true }) }),
    ]
    void this.#watch.then(() => this.#ask({ all: true }))
  }

  refresh(id?: InvocationId): void {
    if (id === undefined) this.#ask({ all: true })
    else this.#ask({ worktrees: true, operations: true }, [id])
  }

  showArchived(shown: boolean): void {
    this.#become({ archived_shown: shown })
    if (shown) this.#ask({}, unread(this.#state.known))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#stopLooking) stop()
    clearTimeout(this.#retry)
    await (await this.#watch)?.close()
    await this.#reading
  }

  #heard({ everything, worktrees, invocations, operations }: RecordChange): void {
    this.#ask({ all: everything, worktrees: worktrees.length > 0, operations }, invocations)
  }

  #askForActive(): void {
    const views = [...this.#state.known.invocations.values()]
    const active = views.filter(({ record }) => isActive(record)).map(({ record }) => record.invocation_id)
    if (active.length > 0 || this.#landable().length > 0) this.#ask({ branches: true }, active)
  }

  #ask(more: Partial<AskedRead>, ids: readonly InvocationId[] = []): void {
    if (this.#closed) return
    const before = this.#asked
    this.#asked = {
      all: before.all || more.all === true,
      worktrees: before.worktrees || more.worktrees === true,
      operations: before.operations || more.operations === true,
      branches: before.branches || more.branches === true,
    }
    for (const id of ids) this.#wanted.add(id)
    if (!this.#busy) this.#reading = this.#readAsked()
  }

  async #readAsked(): Promise<void> {
    this.#busy = true
    try {
      while (!this.#closed && (isAsked(this.#asked) || this.#wanted.size > 0)) await this.#readOnce()
    } catch {
      // The state says it, and everything is read again in a moment.
    } finally {
      this.#busy = false
    }
  }

  async #readOnce(): Promise<void> {
    const asked = this.#asked
    this.#asked = NOTHING_ASKED
    const begun = new Date()
    const hangs = (): void => this.#become({ stale_since: this.#state.stale_since ?? begun })
    const slow = setTimeout(hangs, this.#options.pace.patience_ms)
    try {
      await this.#read(asked)
    } catch (error) {
      this.#fail(error, begun)
      throw error
    } finally {
      clearTimeout(slow)
    }
    const { trouble, taken_at } = this.#state
    // A failure is only over when everything that it may have hidden has been read.
    if (!asked.all && trouble !== null) return
    this.#become({ taken_at: asked.all ? new Date() : taken_at, stale_since: null, trouble: null })
  }

  #fail(error: unknown, begun: Date): void {
    const trouble = asOurError(error)
    this.#become({ trouble, stale_since: this.#state.stale_since ?? this.#state.taken_at ?? begun })
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#ask({ all: true }), this.#options.pace.patience_ms).unref()
  }

  async #read({ all, worktrees, operations, branches }: AskedRead): Promise<void> {
    const { agency } = this.#options
    const named = (all || operations) && (await this.#readOperations())
    if (all || worktrees || named) this.#learn(learnWorktrees, await agency.surveyWorktrees())
    if (all) {
      const survey = await agency.surveyInvocations({ open_only: true, skip: this.#state.known.closed })
      this.#learn(learnAll, survey)
      for (const id of this.#named.invocations) this.#wanted.add(id)
    }
    if (this.#state.archived_shown) for (const id of unread(this.#state.known)) this.#wanted.add(id)
    await this.#readWanted()
    if (all || branches) this.#learn(learnBranches, await agency.stampBranches(this.#landable()))
    await this.#follow()
  }

  /** Worktrees onto which something may land now. Where their branches are decides what would come of it. */
  #landable(): WorktreeRecord[] {
    const { invocations, worktrees } = this.#state.known
    const ended = [...invocations.values()].filter(({ record }) => !isActive(record) && !isClosed(record))
    const ids = new Set(ended.map(({ record }) => record.integration_worktree_id))
    return worktrees.filter(({ worktree_id, state }) => state === 'present' && ids.has(worktree_id))
  }

  async #readWanted(): Promise<void> {
    const ids = [...this.#wanted].slice(0, MOST_AT_ONCE)
    if (ids.length === 0) return
    for (const id of ids) this.#wanted.delete(id)
    try {
      const survey = await this.#options.agency.surveyInvocations({ only: ids })
      this.#become({ known: learnSome(this.#state.known, ids, survey) })
    } catch (error) {
      for (const id of ids) this.#wanted.add(id)
      throw error
    }
  }

  /**
   * The verb of a line has closed invocations, or its undo has opened them again. It may still be at work after its
   * line. So their records are followed before they are read, and are read once more with the next line.
   */
  async #readOperations(): Promise<boolean> {
    const before = this.#state.known.log_end
    const page = await this.#options.agency.operationsFrom(before)
    this.#learn(learnOperations, page)
    // All records are read with the first page, and only the last verb may still be at work.
    const operations = before === 0 ? page.operations.slice(-1) : page.operations
    if (operations.length === 0) return false
    const named = {
      invocations: operations.flatMap(({ invocation_ids }) => invocation_ids),
      worktrees: operations.map(({ worktree_id }) => worktree_id),
    }
    for (const id of [...this.#named.invocations, ...named.invocations]) this.#wanted.add(id)
    this.#named = named
    await this.#follow()
    return true
  }

  #learn<T>(learn: (known: KnownRecords, found: T) => KnownRecords, found: T): void {
    this.#become({ known: learn(this.#state.known, found) })
  }

  #become(change: Partial<ReadingState>): void {
    const fields = Object.keys(change) as (keyof ReadingState)[]
    if (this.#closed || fields.every((field) => change[field] === this.#state[field])) return
    this.#state = { ...this.#state, ...change }
    this.#options.changed()
  }

  async #follow(): Promise<void> {
    const views = [...this.#state.known.invocations.values()].filter(({ record }) => !isClosed(record))
    const worktrees = this.#state.known.worktrees
      .filter(({ state }) => state === 'present')
      .map((record) => record.worktree_id)
      .concat(this.#named.worktrees)
    const open = [...views.map(({ record }) => record.invocation_id), ...this.#named.invocations]
    const active = views.filter(({ record }) => isActive(record)).map(({ record }) => record.invocation_id)
    const followed = [...worktrees, '', ...open, '', ...active]
    if (sameItems(this.#followed, followed)) return
    this.#followed = followed
    ;(await this.#watch)?.follow({ worktrees, open, active })
  }
}

const isAsked = (asked: AskedRead): boolean => Object.values(asked).includes(true)
