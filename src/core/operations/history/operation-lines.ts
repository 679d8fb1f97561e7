// What `agency log` shows: every verb that was logged, and whether it still stands.

import type { OperationLine } from '../../facade/agency.ts'
import { deriveStacks, type Operation } from '../../model/operation.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'

/** Oldest first. */
export const operationLines = ({ paths }: Repository): OperationLine[] =>
  deriveOperationLines(readOperations(paths))

/** `superseded`: undone, and then another verb made a redo impossible. */
export function deriveOperationLines(log: readonly Operation[]): OperationLine[] {
  const { done, undone } = deriveStacks(log)
  return log.map((operation) => {
    if (operation.kind === 'undo' || operation.kind === 'redo' || done.includes(operation)) {
      return { operation, state: 'done' }
    }
    return { operation, state: undone.includes(operation) ? 'undone' : 'superseded' }
  })
}
