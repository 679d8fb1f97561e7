// Reads the last events of the selected invocation, when it is selected and when its record has changed.

import type { Agency, InvocationView } from '../../../core/facade/agency.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import { asOurError } from '../../../core/model/system-failure.ts'
import type { Detail } from './snapshot.ts'

const EVENTS_SHOWN = 8

export interface DetailReader {
  detail(): Detail | null
  select(id: InvocationId | null): void
  /** Reads again if `view`, that of the selected invocation, is another object than before. */
  compare(view: InvocationView | undefined): void
}

export function createDetailReader(agency: Agency, changed: () => void): DetailReader {
  let selected: InvocationId | null = null
  let seen: InvocationView | undefined
  let detail: Detail | null = null
  const become = (next: Detail | null): void => {
    detail = next
    changed()
  }
  const read = async (id: InvocationId): Promise<void> => {
    const next = await readDetail(agency, id)
    if (selected === id) become(next)
  }
  return {
    detail: () => detail,
    select: (id) => {
      if (id === selected) return
      selected = id
      seen = undefined
      become(null)
      if (id !== null) void read(id)
    },
    compare: (view) => {
      const again = seen !== undefined && view !== seen
      seen = view
      if (again && view !== undefined) void read(view.record.invocation_id)
    },
  }
}

async function readDetail(agency: Agency, invocation_id: InvocationId): Promise<Detail> {
  try {
    const events = await agency.invocationEvents(invocation_id)
    return { invocation_id, events: events.slice(-EVENTS_SHOWN), failed: null }
  } catch (error) {
    return { invocation_id, events: [], failed: asOurError(error) }
  }
}
