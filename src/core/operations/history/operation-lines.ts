// What `agency log` shows: every verb that was logged, and whether it is still in effect.

import type { OperationLine } from '../../facade/agency.ts'
import { deriveStacks, type Operation } from '../../model/operation.ts'
import { readOperations } from '../../store/operations-log.ts'
import type { Repository } from '../../store/repository.ts'

/** Oldest first. */
export const operationLines = ({ paths }: Repository): OperationLine[] =>
  deriveOperationLines(readOperations(paths))

/** `superseded`: it was undone, and a later verb has made its redo impossible. */
export function deriveOperationLines(log: readonly Operation[]): OperationLine[] {
  const { done, undone } = deriveStacks(log)
  return log.map((operation) => {
    if (operation.kind === 'undo' || operation.kind === 'redo' || done.includes(operation)) {
      return { operation, state: 'done' }
    }
    return { operation, state: undone.includes(operation) ? 'undone' : 'superseded' }
  })
}
