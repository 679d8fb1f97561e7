// What the dashboard remembers from one run to the next (`ui.json` in the data directory): choices in forms, a prompt
// that was begun, actions of the palette, what was on the stage. A convenience and no record: if it cannot be read, it
// is forgotten.

import * as z from 'zod/mini'
import { formMemorySchema, NO_MEMORY } from './forms/form-memory.ts'
import type { Action } from './keys/bindings.ts'

const stageMemorySchema = z.object({
  count: z.union([z.literal(1), z.literal(2), z.literal(4)]),
  pinned: z.array(z.string()),
  /** The invocation that was selected when the dashboard was left. */
  selected: z.nullable(z.string()),
})
export type StageMemory = z.infer<typeof stageMemorySchema>

export const uiMemorySchema = z.looseObject({
  schema_version: z.literal('1.0'),
  forms: formMemorySchema,
  /** The last one first. */
  recent_actions: z.array(z.string()),
  stage: z.optional(stageMemorySchema),
})
export type UiMemory = z.infer<typeof uiMemorySchema>

export const NO_UI_MEMORY: UiMemory = { schema_version: '1.0', forms: NO_MEMORY, recent_actions: [] }

export function parseUiMemory(data: unknown): UiMemory {
  const parsed = uiMemorySchema.safeParse(data)
  return parsed.success ? parsed.data : NO_UI_MEMORY
}

const MOST_RECENT = 10

export const noteAction = (memory: UiMemory, action: Action): UiMemory => ({
  ...memory,
  recent_actions: [action, ...memory.recent_actions.filter((other) => other !== action)].slice(
    0,
    MOST_RECENT,
  ),
})
