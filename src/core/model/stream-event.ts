// What a runner said, normalised: one JSON line each in `logs/stream.jsonl`. Every text in it is untrusted.

import * as z from 'zod/mini'
import { usageSchema } from './invocation.ts'
import { reportedStatusSchema } from './reported-status.ts'

const base = { at: z.string() }

export const streamEventSchema = z.discriminatedUnion('kind', [
  /** The runner's own session began; `session_id` resumes it. */
  z.looseObject({
    ...base,
    kind: z.literal('session'),
    session_id: z.string(),
    model: z.nullable(z.string()),
  }),
  z.looseObject({ ...base, kind: z.literal('prompt'), text: z.string() }),
  z.looseObject({ ...base, kind: z.literal('text'), text: z.string() }),
  z.looseObject({ ...base, kind: z.literal('reasoning'), text: z.string() }),
  /** `call_id` joins a call to its result. `input` is one readable line or block. */
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
  /** A turn ended, or the runner reported a semantic status of its own. */
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
  /** A line of its output that is not in its own format, verbatim; or a notice of its that is no error (stderr). */
  z.looseObject({
    ...base,
    kind: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
])

export type StreamEvent = z.infer<typeof streamEventSchema>

/** Turns one line of a runner's stdout into events. Stateful where the format joins lines; never throws. */
export interface StreamParser {
  /** `line` is without its newline; `at` is RFC 3339. */
  parseLine(line: string, at: string): readonly StreamEvent[]
}
