// operations.jsonl: appended by every verb that undo can take back.

import { makeWay, readBytesFrom } from '../doors/system/files.ts'
import { LOG_BOUNDS, oddityAt } from '../doors/system/regular-file.ts'
import { createSlices } from '../doors/system/slices.ts'
import { formatStampedId, type Stamp } from '../model/ids.ts'
import type { OperationPage } from '../model/operation.ts'
import { type Operation, operationSchema } from '../model/operation.ts'
import { appendJsonLine, MOST_READ, parseJsonLines, readJsonLines } from './json-lines.ts'
import type { RepoPaths } from './paths.ts'

export type NewOperation = Omit<Operation, 'schema_version' | 'operation_id' | 'at'>

/** The caller holds the repository's lock. */
export function appendOperation(paths: RepoPaths, operation: NewOperation, stamp: Stamp): Operation {
  const whole = stampOperation(operation, stamp)
  appendStamped(paths, whole)
  return whole
}

export const stampOperation = (operation: NewOperation, { now, random }: Stamp): Operation =>
  ({
    schema_version: '1.0',
    operation_id: formatStampedId(now, random),
    at: now.toISOString(),
    ...operation,
  }) as Operation

/**
 * Does nothing if the log has the line already: after a kill another process finishes the verb, and may append it
 * again. What an agent has put in the log's place is no log, and must not keep a verb from being noted.
 */
export function appendStamped(paths: RepoPaths, operation: Operation): void {
  makeWay(paths.operations)
  const known = readOperations(paths).some((past) => past.operation_id === operation.operation_id)
  if (!known) appendJsonLine(paths.operations, operationSchema, operation)
}

/**
 * The operations that were logged after a place in the log. Read in slices, because after years it is long. None where
 * something else lies in the log's place: whoever watches goes on without them.
 */
export async function readOperationsFrom(paths: RepoPaths, place: number): Promise<OperationPage> {
  if (oddityAt(paths.operations, LOG_BOUNDS) !== null) return { operations: [], begin: 0, end: 0 }
  const { begin, bytes } = readBytesFrom(paths.operations, place, MOST_READ)
  const rest = createSlices()
  const operations: Operation[] = []
  const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
  for (const line of whole.toString('utf8').split('\n')) {
    await rest()
    operations.push(...parseJsonLines(line, operationSchema))
  }
  return { operations, begin, end: begin + whole.length }
}

export const readOperations = (paths: RepoPaths): Operation[] =>
  readJsonLines(paths.operations, operationSchema)
