// The one that looks: joins the reading of records, the work of git and the details into snapshots. Everything that takes
// time happens here, behind the keys.

import type { Agency } from '../../../core/facade/agency.ts'
import { holdAfterKey, NO_HOLD } from '../../../core/model/hold.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { deriveSnapshot, type SnapshotFacts } from './derive-snapshot.ts'
import { createDetailReader } from './detail-reader.ts'
import { createGitQueue } from './git-queue.ts'
import { type KnownRecords, NOTHING_KNOWN } from './known-records.ts'
import { type Pace, USUAL_PACE } from './pace.ts'
import { createPublisher } from './publisher.ts'
import { createRecordReader, type RecordReader } from './record-reader.ts'
import type { Observer } from './snapshot.ts'

export interface ObserverOptions {
  readonly pace?: Partial<Pace>
}

/** Begins to read at once. */
export function createObserver(agency: Agency, options: ObserverOptions = {}): Observer {
  const pace = { ...USUAL_PACE, ...options.pace }
  let selected: InvocationId | null = null
  let hold = NO_HOLD
  // By a clock that nobody sets: one that was set back would hold everything for as long.
  const heldFor = (): number => Math.max(0, hold.until - performance.now())
  let reader: RecordReader | null = null
  const known = (): KnownRecords => reader?.state().known ?? NOTHING_KNOWN
  let made: SnapshotFacts | null = null
  const publisher = createPublisher((before) => {
    if (reader === null) return before
    const work = { measured: queue.measured(), background: queue.background() }
    const facts: SnapshotFacts = { ...reader.state(), ...work, detail: detail.detail() }
    const snapshot = deriveSnapshot(before, facts, made)
    made = facts
    return snapshot
  })
  const { touch } = publisher
  const queue = createGitQueue({ agency, pace, known, heldFor, changed: touch })
  const detail = createDetailReader(agency, touch)
  const recordsChanged = (): void => {
    if (selected !== null) detail.compare(known().invocations.get(selected))
    queue.pump()
    touch()
  }
  const records = createRecordReader({ agency, pace, heldFor, changed: recordsChanged })
  reader = records
  return {
    snapshot: publisher.snapshot,
    onChange: publisher.onChange,
    refresh: (id) => {
      queue.askAnew(id)
      records.refresh(id)
    },
    setVisible: (ids) => queue.setVisible(ids),
    hold: () => {
      hold = holdAfterKey(hold, performance.now(), pace)
    },
    heldFor,
    select: (id) => {
      selected = id
      detail.select(id)
      queue.select(id)
    },
    showArchived: (shown) => records.showArchived(shown),
    close: async () => {
      publisher.close()
      await Promise.all([records.close(), queue.close()])
    },
  }
}
