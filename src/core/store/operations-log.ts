// operations.jsonl: appended by every verb that undo can take back.

import { formatStampedId } from '../model/ids.ts'
import { type Operation, operationSchema } from '../model/operation.ts'
import { appendJsonLine, readJsonLines } from './json-lines.ts'
import type { RepoPaths } from './paths.ts'

export type NewOperation = Omit<Operation, 'schema_version' | 'operation_id' | 'at'>

/** The caller holds the repository's lock. */
export function appendOperation(
  paths: RepoPaths,
  operation: NewOperation,
  stamp: { now: Date; random: Uint8Array },
): Operation {
  const whole = {
    schema_version: '1.0',
    operation_id: formatStampedId(stamp.now, stamp.random),
    at: stamp.now.toISOString(),
    ...operation,
  } as Operation
  appendJsonLine(paths.operations, operationSchema, whole)
  return whole
}

export const readOperations = (paths: RepoPaths): Operation[] =>
  readJsonLines(paths.operations, operationSchema)
