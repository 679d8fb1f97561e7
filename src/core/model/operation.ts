// The operation log: what a person's verbs did to refs and records, so that undo can go back.

import * as z from 'zod/mini'
import { invocationIdSchema, objectIdSchema, worktreeIdSchema } from './ids.ts'
import { unreachable } from './unreachable.ts'

/** A ref that moved. null means that it did not exist. */
export const refChangeSchema = z.looseObject({
  ref: z.string(),
  from: z.nullable(objectIdSchema),
  to: z.nullable(objectIdSchema),
})
export type RefChange = z.infer<typeof refChangeSchema>

export const OPERATION_KINDS = ['land', 'discard', 'worktree_rm', 'restore', 'undo', 'redo'] as const

/** One line of `operations.jsonl`. Ids are `<yyyymmddhhmmss>-<4hex>`. */
export const operationSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  operation_id: z.string(),
  at: z.string(),
  kind: z.enum(OPERATION_KINDS),
  /** A sentence that undo, redo and log show: `landed b7c9 (claude) onto my-feature, 2 commits`. */
  description: z.string(),
  worktree_id: worktreeIdSchema,
  /** The invocations that it closed. */
  invocation_ids: z.array(invocationIdSchema),
  refs: z.array(refChangeSchema),
  /** The operation that this one undid or redid. */
  target: z.nullable(z.string()),
  /** Only for a restore, and for its undo or redo. */
  restored: z.optional(
    z.looseObject({
      /** The commits that keep the state before it and the state that it brought. */
      from: objectIdSchema,
      to: objectIdSchema,
      /** The state that it left. Undo refuses if the sandbox is in another one by now. */
      left: z.string(),
    }),
  ),
})
export type Operation = z.infer<typeof operationSchema>

export interface OperationStacks {
  /** Done and not undone, oldest first. Undo takes the last. */
  readonly done: readonly Operation[]
  /** Undone and not redone, oldest first. Redo takes the last. */
  readonly undone: readonly Operation[]
}

export const NO_OPERATIONS: OperationStacks = { done: [], undone: [] }

/** What undo and redo would act on next. A new verb empties the redo stack, as in every editor. */
export function deriveStacks(
  log: readonly Operation[],
  before: OperationStacks = NO_OPERATIONS,
): OperationStacks {
  const done = [...before.done]
  let undone = [...before.undone]
  for (const operation of log) {
    switch (operation.kind) {
      case 'undo':
        moveLast(done, undone, operation.target)
        break
      case 'redo':
        moveLast(undone, done, operation.target)
        break
      case 'land':
      case 'discard':
      case 'worktree_rm':
      case 'restore':
        done.push(operation)
        undone = []
        break
      default:
        unreachable(operation.kind)
    }
  }
  return { done, undone }
}

function moveLast(from: Operation[], to: Operation[], id: string | null): void {
  const at = from.findLastIndex((past) => past.operation_id === id)
  if (at >= 0) to.push(...from.splice(at, 1))
}

/** A part of the operation log, oldest first. */
export interface OperationPage {
  readonly operations: readonly Operation[]
  /**
   * In bytes. If the log has become shorter than the place that was asked for, the page is the whole log and begins at
   * 0.
   */
  readonly begin: number
  /** Where the next part begins. */
  readonly end: number
}
