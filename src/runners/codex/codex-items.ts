// Makes a call and its result of those Codex items that are tool calls. Pure.

import type { StreamEvent } from '../../core/model/stream-event.ts'
import type { Untimed } from '../stream/json-stream.ts'
import { readableContent, readableInput } from '../stream/readable.ts'
import type { CodexItem } from './codex-messages.ts'

type CodexCall = Untimed<Extract<StreamEvent, { kind: 'tool_call' }>>
type CallResult = Untimed<Extract<StreamEvent, { kind: 'tool_result' }>>

const CALLS = ['command_execution', 'file_change', 'mcp_tool_call', 'web_search', 'todo_list']

export const isCall = (item: CodexItem): boolean => CALLS.includes(item.type)

export function readCall(item: CodexItem): CodexCall {
  const call = { kind: 'tool_call', call_id: item.id } as const
  switch (item.type) {
    case 'command_execution':
      return { ...call, tool: 'shell', input: item.command ?? '' }
    case 'file_change':
      return { ...call, tool: 'edit', input: describeChanges(item) }
    case 'mcp_tool_call':
      return {
        ...call,
        tool: `${item.server ?? 'mcp'}.${item.tool ?? 'tool'}`,
        input: readableInput(item.arguments),
      }
    case 'todo_list':
      return { ...call, tool: 'plan', input: describePlan(item) }
    default:
      return { ...call, tool: item.type, input: item.query ?? '' }
  }
}

export const readCallResult = (item: CodexItem): CallResult => ({
  kind: 'tool_result',
  call_id: item.id,
  output: item.aggregated_output ?? describeOutput(item),
  outcome: item.status === 'declined' ? 'denied' : item.status === 'failed' ? 'failed' : 'ok',
  exit_code: item.exit_code ?? null,
})

const describeChanges = (item: CodexItem): string =>
  (item.changes ?? []).map(({ kind, path }) => `${kind} ${path}`).join('\n')

const describePlan = (item: CodexItem): string =>
  (item.items ?? []).map(({ text, completed }) => `${completed ? '[x]' : '[ ]'} ${text}`).join('\n')

function describeOutput(item: CodexItem): string {
  const { error, result } = item
  if (error !== undefined && error !== null) return readableBlocks(error, 'message')
  return readableBlocks(result, 'content')
}

/** Both come wrapped in an object with one field. */
const readableBlocks = (value: unknown, key: 'message' | 'content'): string =>
  readableContent(
    typeof value === 'object' && value !== null && key in value
      ? (value as Readonly<Record<string, unknown>>)[key]
      : value,
  )
