// The lines of Claude Code's stream-json that we read, as seen in 2.1.197 and 2.1.330. It does not keep the order of
// keys, and new versions add message types freely.

import * as z from 'zod/mini'

const textBlock = z.object({ type: z.literal('text'), text: z.string() })
const thinkingBlock = z.object({ type: z.literal('thinking'), thinking: z.string() })
const toolUseBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
})
const toolResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.optional(z.unknown()),
  is_error: z.optional(z.nullable(z.boolean())),
})
const unknownBlock = z.object({ type: z.string() })

const contentBlock = z.union([textBlock, thinkingBlock, toolUseBlock, toolResultBlock, unknownBlock])
export type ContentBlock = z.infer<typeof contentBlock>
export type ToolResultBlock = z.infer<typeof toolResultBlock>

const systemMessage = z.object({
  type: z.literal('system'),
  subtype: z.string(),
  session_id: z.optional(z.string()),
  model: z.optional(z.string()),
  /** In `api_retry`. */
  attempt: z.optional(z.number()),
  max_retries: z.optional(z.number()),
  error_status: z.optional(z.nullable(z.number())),
  error: z.optional(z.unknown()),
  /** In `permission_denied`. */
  tool_name: z.optional(z.string()),
  tool_use_id: z.optional(z.string()),
})

const assistantMessage = z.object({
  type: z.literal('assistant'),
  message: z.object({ content: z.array(contentBlock) }),
  /** Set on a text that stands for a failed request. */
  error: z.optional(z.unknown()),
})

const userMessage = z.object({
  type: z.literal('user'),
  message: z.object({ content: z.union([z.string(), z.array(contentBlock)]) }),
  tool_result_meta: z.optional(
    z.array(
      z.object({
        id: z.string(),
        permission_decision: z.optional(z.object({ decision: z.string() })),
      }),
    ),
  ),
})

const modelUsage = z.record(
  z.string(),
  z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadInputTokens: z.optional(z.number()),
    cacheCreationInputTokens: z.optional(z.number()),
    costUSD: z.number(),
  }),
)
export type ModelUsage = z.infer<typeof modelUsage>

const resultMessage = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.optional(z.nullable(z.string())),
  errors: z.optional(z.array(z.string())),
  terminal_reason: z.optional(z.nullable(z.string())),
  num_turns: z.optional(z.number()),
  total_cost_usd: z.optional(z.number()),
  /** In newer versions about the whole session, with the runs before this one. */
  modelUsage: z.optional(modelUsage),
  /** About this run alone. Missing in 2.1.197. */
  model_usage_since_last_result: z.optional(modelUsage),
  permission_denials: z.optional(z.array(z.object({ tool_name: z.string(), tool_use_id: z.string() }))),
})
export type ResultMessage = z.infer<typeof resultMessage>

/** Types that a transcript does not need. Parts of messages (`stream_event`) come again as whole messages. */
const silentMessage = z.object({
  type: z.enum([
    'stream_event',
    'rate_limit_event',
    'tool_progress',
    'tool_use_summary',
    'auth_status',
    'prompt_suggestion',
    'keep_alive',
  ]),
})

export const claudeMessage = z.discriminatedUnion('type', [
  systemMessage,
  assistantMessage,
  userMessage,
  resultMessage,
  silentMessage,
])
export type ClaudeMessage = z.infer<typeof claudeMessage>
export type SystemMessage = z.infer<typeof systemMessage>
export type AssistantMessage = z.infer<typeof assistantMessage>
export type UserMessage = z.infer<typeof userMessage>
