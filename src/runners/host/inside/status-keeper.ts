// What a headed runner says of its state, kept where lists are made. A runner that is known to report says nothing while
// it still asks the first questions, whom to trust and with which account: silent then, it waits for a person.

import type { ReportedStatus } from '../../../core/model/reported-status.ts'

/** Milliseconds without output. A runner that starts draws again and again; a question stands still. */
const QUIET = 2000

export interface StatusKeeper {
  /** null takes back what was said. */
  reported(status: ReportedStatus | null): void
  /** The runner has drawn something. */
  drew(): void
  /** Resolves when nothing is being written any more. */
  close(): Promise<void>
}

export interface StatusDoors {
  readonly write: (status: ReportedStatus | null) => Promise<void>
  /** The runner is one that reports: see LaunchPlan. */
  readonly reports: boolean
}

export function keepStatus({ write, reports }: StatusDoors): StatusKeeper {
  let said: ReportedStatus | null = null
  let waits = false
  let written: ReportedStatus | null = null
  let writing: Promise<void> | null = null
  let quiet: NodeJS.Timeout | null = null

  const current = (): ReportedStatus | null => said ?? (waits ? 'needs_input' : null)
  const writeLatest = async (): Promise<void> => {
    while (current() !== written) {
      written = current()
      // A row that lags is not worth a complaint for every word that the runner says.
      await write(written).catch(() => {})
    }
    writing = null
  }
  /** One write at a time, of what holds when it begins. */
  const tell = (): void => {
    if (writing === null && current() !== written) writing = writeLatest()
  }
  return {
    reported: (status) => {
      said = status
      waits = false
      tell()
    },
    drew: () => {
      if (!reports || said !== null) return
      waits = false
      tell()
      if (quiet !== null) quiet.refresh()
      else
        quiet = setTimeout(() => {
          waits = true
          tell()
        }, QUIET).unref()
    },
    close: async () => {
      if (quiet !== null) clearTimeout(quiet)
      await writing
    },
  }
}
