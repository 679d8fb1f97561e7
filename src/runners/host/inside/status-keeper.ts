// Keeps what a headed runner says of its state where lists can read it. A runner that is known to report says nothing
// while it asks its first questions (whom to trust, which account): if such a runner is silent, it waits for a person.

import type { ReportedStatus } from '../../../core/model/reported-status.ts'

/** Milliseconds without output. A starting runner keeps drawing; a question stands still. */
const QUIET = 2000

export interface StatusKeeper {
  /** null takes back what was said before. */
  reported(status: ReportedStatus | null): void
  /** The runner has drawn something. */
  drew(): void
  /** Resolves when nothing is being written any more. */
  close(): Promise<void>
}

export interface StatusDoors {
  readonly write: (status: ReportedStatus | null) => Promise<void>
  /** The runner is one that reports; see LaunchPlan. */
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
      // If a row in a list is late, that is not worth a complaint for every word of the runner's.
      await write(written).catch(() => {})
    }
    writing = null
  }
  /** Writes one status at a time, always the one that holds when the writing begins. */
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
