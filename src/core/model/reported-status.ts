// What a runner says of its own state while it runs. Wherever it comes from it is untrusted, and one of these or nothing.

import * as z from 'zod/mini'

export const reportedStatusSchema = z.enum(['working', 'needs_input', 'blocked', 'ready_for_review', 'idle'])
export type ReportedStatus = z.infer<typeof reportedStatusSchema>

/** null: it takes back what it said before. */
export const statusRecordSchema = z.looseObject({ status: z.nullable(reportedStatusSchema) })
