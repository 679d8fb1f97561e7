// Asks git for diffstats and forecasts in the background: one at a time, only for visible rows, the selected row first,
// and never sooner than the rules in due.ts allow.

import type { Agency } from '../../../core/facade/agency.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { asOurError } from '../../../core/model/system-failure.ts'
import { type Measures, NO_MEASURES } from './derive-snapshot.ts'
import { candidatesFor, chooseWork, type DueCandidate, type Track, type Tracks, type Work } from './due.ts'
import { type KnownRecords, sameItems } from './known-records.ts'
import type { Pace } from './pace.ts'
import type { BackgroundWork, Diffstat, Measured } from './snapshot.ts'

export interface GitQueue {
  measured(): ReadonlyMap<InvocationId, Measures>
  background(): BackgroundWork | null
  setVisible(ids: readonly InvocationId[]): void
  /** The selected invocation comes first. */
  select(id: InvocationId | null): void
  /** Makes the answers due again, but keeps them. */
  askAnew(id?: InvocationId): void
  /** Looks whether something is due. To be called when records have changed. */
  pump(): void
  /** Resolves when git is no longer at work. */
  close(): Promise<void>
}

export interface QueueOptions {
  readonly agency: Agency
  readonly pace: Pace
  readonly known: () => KnownRecords
  /** Milliseconds in which nothing is started, because somebody types. */
  readonly heldFor: () => number
  readonly changed: () => void
}

export const createGitQueue = (options: QueueOptions): GitQueue => new Queue(options)

/**
 * An older one is worked out anew when its row is selected, because the person may have edited files in the worktree.
 */
const OLD_FORECAST_MS = 5_000

class Queue implements GitQueue {
  readonly #options: QueueOptions
  #measured: ReadonlyMap<InvocationId, Measures> = new Map()
  readonly #tracks = new Map<InvocationId, Tracks>()
  #background: BackgroundWork | null = null
  #visible: readonly InvocationId[] = []
  #selected: InvocationId | null = null
  #working: Promise<void> | null = null
  #wake: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: QueueOptions) {
    this.#options = options
  }

  measured(): ReadonlyMap<InvocationId, Measures> {
    return this.#measured
  }

  background(): BackgroundWork | null {
    return this.#background
  }

  setVisible(ids: readonly InvocationId[]): void {
    if (sameItems(ids, this.#visible)) return
    this.#visible = ids
    this.pump()
  }

  select(id: InvocationId | null): void {
    if (id === this.#selected) return
    this.#selected = id
    const tracks = id === null ? undefined : this.#tracks.get(id)
    if (id !== null && tracks?.forecast !== undefined && isOld(tracks.forecast)) {
      const { forecast: _, ...rest } = tracks
      this.#tracks.set(id, rest)
    }
    this.pump()
  }

  askAnew(id?: InvocationId): void {
    if (id === undefined) this.#tracks.clear()
    else this.#tracks.delete(id)
    this.pump()
  }

  pump(): void {
    if (this.#working !== null || this.#closed) return
    if (this.#wake !== null) clearTimeout(this.#wake)
    this.#wake = null
    const now = Date.now()
    const held = this.#options.heldFor()
    const choice = held > 0 ? now + held : chooseWork(this.#candidates(), now)
    if (typeof choice === 'number') {
      if (Number.isFinite(choice)) this.#wake = setTimeout(() => this.pump(), choice - now + 1).unref()
      return
    }
    this.#working = this.#workOut(choice).finally(() => {
      this.#working = null
      this.pump()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#wake !== null) clearTimeout(this.#wake)
    await this.#working
  }

  #candidates(): DueCandidate[] {
    if (this.#visible.length === 0) return []
    const { known, pace } = this.#options
    const { invocations, worktrees, branches } = known()
    const heads = new Map(
      worktrees.map(({ worktree_id, known_head }) => [
        worktree_id,
        `${known_head} ${branches.get(worktree_id)}`,
      ]),
    )
    const order = new Set(this.#selected === null ? this.#visible : [this.#selected, ...this.#visible])
    return [...order].flatMap((id) => {
      const view = invocations.get(id)
      if (view === undefined) return []
      const head = heads.get(view.record.integration_worktree_id) ?? ''
      return candidatesFor({ view, tracks: this.#tracks.get(id) ?? {}, head, pace })
    })
  }

  async #workOut({ id, work, stamp }: DueCandidate): Promise<void> {
    const begun = Date.now()
    this.#show({ what: work, invocation_id: id, since: new Date(begun) })
    const before = this.#measured.get(id) ?? NO_MEASURES
    const now = await this.#ask(id, work, before)
    if (this.#closed) return
    const ended_at = Date.now()
    const track: Track = { stamp, ended_at, took: ended_at - begun, failed: now[work].failed !== null }
    this.#tracks.set(id, { ...this.#tracks.get(id), [work]: track })
    this.#measured = new Map(this.#measured).set(id, now)
    this.#show(null)
  }

  async #ask(id: InvocationId, work: Work, before: Measures): Promise<Measures> {
    const { agency } = this.#options
    if (work === 'forecast') {
      return { ...before, forecast: await measureAnew(before.forecast, () => agency.forecastLanding(id)) }
    }
    const diff = await measureAnew(before.diff, async () =>
      sumUp(await agency.diffInvocation(id, { draft: true })),
    )
    return { ...before, diff }
  }

  #show(background: BackgroundWork | null): void {
    this.#background = background
    this.#options.changed()
  }
}

const isOld = ({ ended_at }: Track): boolean => Date.now() - ended_at > OLD_FORECAST_MS

type SandboxChanges = Pick<Awaited<ReturnType<Agency['diffInvocation']>>, 'files'>

function sumUp({ files }: SandboxChanges): Diffstat {
  const sum = (pick: (file: (typeof files)[number]) => number | null): number =>
    files.reduce((total, file) => total + (pick(file) ?? 0), 0)
  return { added: sum((file) => file.added), deleted: sum((file) => file.deleted), files: files.length }
}

/** If it fails, keeps what was known before, and says that it has failed. */
async function measureAnew<T>(before: Measured<T>, work: () => Promise<T>): Promise<Measured<T>> {
  try {
    return { value: await work(), at: new Date(), failed: null }
  } catch (error) {
    return { ...before, failed: asOurError(error) }
  }
}
