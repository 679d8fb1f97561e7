// What a runner reports of itself by its terminal: its host notes it beside the invocation's record.

import { type ReportedStatus, statusRecordSchema } from '../model/reported-status.ts'
import type { RepoPaths } from './paths.ts'
import { writeRecord } from './record-file.ts'

export const STATUS_FILE = 'runner_status.json'

export const writeReportedStatus = (
  paths: RepoPaths,
  id: string,
  status: ReportedStatus | null,
): Promise<void> => writeRecord(paths.invocation(id).status, statusRecordSchema, { status })
