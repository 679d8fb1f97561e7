// The operation log: what a person's verbs did to refs and records, so that undo can replay it backwards.

import * as z from 'zod/mini'
import { invocationIdSchema, objectIdSchema, worktreeIdSchema } from './ids.ts'
import { unreachable } from './unreachable.ts'

/** A ref that moved. null: it did not exist. */
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
  /** The invocations that were closed by it. */
  invocation_ids: z.array(invocationIdSchema),
  refs: z.array(refChangeSchema),
  /** The operation that this one undid or did again. */
  target: z.nullable(z.string()),
  /** Where it is a restore, or takes one back. */
  restored: z.optional(
    z.looseObject({
      /** The commits that keep the sandbox's state before it, and the one that it was brought to. */
      from: objectIdSchema,
      to: objectIdSchema,
      /** The state it was left in: undo refuses where it is in another one by now. */
      left: z.string(),
    }),
  ),
})
export type Operation = z.infer<typeof operationSchema>

export interface OperationStacks {
  /** Done and not undone, oldest first: undo takes the last. */
  readonly done: readonly Operation[]
  /** Undone and not done again, oldest first: redo takes the last. */
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
  /** In bytes. Not what was asked for where the log has become shorter: then it is all of it. */
  readonly begin: number
  /** Where the next part begins. */
  readonly end: number
}
