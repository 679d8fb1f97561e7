// What a runner reports of itself through its terminal. Its host writes it beside the invocation's record.

import { type ReportedStatus, statusRecordSchema } from '../model/reported-status.ts'
import type { RepoPaths } from './paths.ts'
import { writeRecord } from './record-file.ts'

export const STATUS_FILE = 'runner_status.json'

export const writeReportedStatus = (
  paths: RepoPaths,
  id: string,
  status: ReportedStatus | null,
): Promise<void> => writeRecord(paths.invocation(id).status, statusRecordSchema, { status })
