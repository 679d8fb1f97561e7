// What the forms remember from one run to the next: choices, and a prompt that was begun.

import * as z from 'zod/mini'

export const formMemorySchema = z.looseObject({
  runner: z.nullable(z.string()),
  mode: z.enum(['headed', 'headless']),
  /** By runner. */
  models: z.record(z.string(), z.string()),
  /** Names of permission choices, by runner. */
  permissions: z.record(z.string(), z.string()),
  /** Memories of earlier versions have none. */
  environment: z.optional(z.nullable(z.string())),
  worktree: z.nullable(z.string()),
  /** The prompt of a form that was left without starting. */
  draft: z.string(),
})
export type FormMemory = z.infer<typeof formMemorySchema>

export const NO_MEMORY: FormMemory = {
  runner: null,
  mode: 'headed',
  models: {},
  permissions: {},
  environment: null,
  worktree: null,
  draft: '',
}
