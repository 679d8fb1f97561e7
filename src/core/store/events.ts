// The events of an invocation's life.

import { type AgencyEvent, agencyEventSchema, type EventKind } from '../model/event.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'
import type { RepoPaths } from './paths.ts'

export interface NewEvent {
  readonly kind: EventKind
  readonly message: string
  readonly [fact: string]: unknown
}

export function appendEvent(paths: RepoPaths, invocationId: string, event: NewEvent): void {
  appendJsonLine(paths.invocation(invocationId).events, agencyEventSchema, {
    at: new Date().toISOString(),
    ...event,
  })
}

export const readEvents = (paths: RepoPaths, invocationId: string): AgencyEvent[] =>
  readJsonLines(paths.invocation(invocationId).events, agencyEventSchema)
