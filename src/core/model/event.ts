// What agency itself did or saw in an invocation's life: one line of JSON each in `invocations/<id>/events.jsonl`.

import * as z from 'zod/mini'

export const EVENT_KINDS = [
  'created',
  'started',
  'start_failed',
  'session',
  'stop_requested',
  'kill_requested',
  'ended',
  'host_vanished',
  'landed',
  'land_refused',
  'discarded',
  'restored',
  'forked',
  'cleanup_failed',
  'log_gap',
  'checkpoint_failed',
  'checkpoint_excluded',
  'checkpoint_corrected',
  'watch_failed',
  'output_denied',
  'teardown_failed',
] as const

export const agencyEventSchema = z.looseObject({
  at: z.string(),
  kind: z.enum(EVENT_KINDS),
  /** One sentence for people. Values in it that a runner gave are untrusted text. */
  message: z.string(),
})

export type AgencyEvent = z.infer<typeof agencyEventSchema>
export type EventKind = AgencyEvent['kind']
