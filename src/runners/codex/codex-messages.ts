// The lines of `codex exec --json` that we read, as seen in 0.169.0. New versions add item types freely.

import * as z from 'zod/mini'

/** One shape for all items; `type` decides which fields there are. */
export const codexItem = z.object({
  id: z.string(),
  type: z.string(),
  status: z.optional(z.string()),
  /** agent_message, reasoning */
  text: z.optional(z.string()),
  /** error */
  message: z.optional(z.string()),
  /** command_execution */
  command: z.optional(z.string()),
  aggregated_output: z.optional(z.string()),
  exit_code: z.optional(z.nullable(z.number())),
  /** file_change */
  changes: z.optional(z.array(z.object({ path: z.string(), kind: z.string() }))),
  /** mcp_tool_call */
  server: z.optional(z.string()),
  tool: z.optional(z.string()),
  arguments: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  /** web_search */
  query: z.optional(z.string()),
  /** todo_list */
  items: z.optional(z.array(z.object({ text: z.string(), completed: z.boolean() }))),
})
export type CodexItem = z.infer<typeof codexItem>

const itemMessage = z.object({
  type: z.enum(['item.started', 'item.updated', 'item.completed']),
  item: codexItem,
})
export type ItemMessage = z.infer<typeof itemMessage>

export const codexMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('turn.started') }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.optional(z.object({ input_tokens: z.number(), output_tokens: z.number() })),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal('error'), message: z.string() }),
  itemMessage,
])
export type CodexMessage = z.infer<typeof codexMessage>
