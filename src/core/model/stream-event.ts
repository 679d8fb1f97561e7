// What a runner said, in one form for all runners: one line of JSON each in `logs/stream.jsonl`. All text in it is
// untrusted.

import * as z from 'zod/mini'
import { usageSchema } from './invocation.ts'
import { reportedStatusSchema } from './reported-status.ts'

const base = { at: z.string() }

export const streamEventSchema = z.discriminatedUnion('kind', [
  /** The runner has begun a session. `session_id` resumes it. */
  z.looseObject({
    ...base,
    kind: z.literal('session'),
    session_id: z.string(),
    model: z.nullable(z.string()),
  }),
  z.looseObject({ ...base, kind: z.literal('prompt'), text: z.string() }),
  z.looseObject({ ...base, kind: z.literal('text'), text: z.string() }),
  z.looseObject({ ...base, kind: z.literal('reasoning'), text: z.string() }),
  /** `call_id` is the same in a call and its result. `input` is readable: one line or one block. */
  z.looseObject({
    ...base,
    kind: z.literal('tool_call'),
    call_id: z.string(),
    tool: z.string(),
    input: z.string(),
  }),
  z.looseObject({
    ...base,
    kind: z.literal('tool_result'),
    call_id: z.string(),
    output: z.string(),
    outcome: z.enum(['ok', 'failed', 'denied']),
    exit_code: z.nullable(z.number()),
  }),
  /** A turn has ended, or the runner has reported a status of its own. */
  z.looseObject({
    ...base,
    kind: z.literal('status'),
    state: reportedStatusSchema,
  }),
  z.looseObject({ ...base, kind: z.literal('error'), message: z.string(), retrying: z.boolean() }),
  /** The runner's verdict on its own run. */
  z.looseObject({
    ...base,
    kind: z.literal('result'),
    ok: z.boolean(),
    summary: z.string(),
    usage: usageSchema,
  }),
  /** A line of output that is not in the runner's own format, verbatim; or a notice that is no error (stderr). */
  z.looseObject({
    ...base,
    kind: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
])

export type StreamEvent = z.infer<typeof streamEventSchema>

/** Makes events of one line of a runner's stdout. Keeps state where lines belong together. Never throws. */
export interface StreamParser {
  /** `line` is without its newline; `at` is RFC 3339. */
  parseLine(line: string, at: string): readonly StreamEvent[]
}
