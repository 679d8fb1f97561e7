// What a runner says of its own state while it runs. It is untrusted, and is one of these words or nothing.

import * as z from 'zod/mini'

export const reportedStatusSchema = z.enum(['working', 'needs_input', 'blocked', 'ready_for_review', 'idle'])
export type ReportedStatus = z.infer<typeof reportedStatusSchema>

/** null takes back what was said before. */
export const statusRecordSchema = z.looseObject({ status: z.nullable(reportedStatusSchema) })
