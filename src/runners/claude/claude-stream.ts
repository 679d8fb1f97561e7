// Reads Claude Code's stream-json line by line. Keeps what one line tells about later ones: the session, which tool
// calls were refused, and what the run has cost so far. Pure, apart from that.

import type { StreamParser } from '../../core/model/stream-event.ts'
import { jsonStreamParser, type Untimed } from '../stream/json-stream.ts'
import { readableContent, readableInput } from '../stream/readable.ts'
import {
  type AssistantMessage,
  type ClaudeMessage,
  type ContentBlock,
  claudeMessage,
  type ResultMessage,
  type SystemMessage,
  type ToolResultBlock,
  type UserMessage,
} from './claude-messages.ts'
import { addUsage, type Spending, zeroSpending } from './claude-usage.ts'

const INTERRUPTED = '[Request interrupted'

export function createClaudeParser(): StreamParser {
  const state: ClaudeState = { sessionId: null, denied: new Set(), spending: zeroSpending }
  return jsonStreamParser(claudeMessage, (message) => readClaudeMessage(message, state))
}

interface ClaudeState {
  sessionId: string | null
  /** Ids of refused calls. */
  readonly denied: Set<string>
  spending: Spending
}

function readClaudeMessage(message: ClaudeMessage, state: ClaudeState): readonly Untimed[] {
  switch (message.type) {
    case 'system':
      return readSystem(message, state)
    case 'assistant':
      return message.message.content.flatMap((block) => readAssistantBlock(block, message))
    case 'user':
      return readUser(message, state)
    case 'result':
      return readResult(message, state)
    default:
      return []
  }
}

function readSystem(message: SystemMessage, state: ClaudeState): readonly Untimed[] {
  if (message.subtype === 'init') return readInit(message, state)
  if (message.subtype === 'api_retry') {
    return [{ kind: 'error', message: describeRetry(message), retrying: true }]
  }
  if (message.subtype === 'permission_denied' && message.tool_use_id !== undefined) {
    state.denied.add(message.tool_use_id)
  }
  return []
}

/** This line is repeated for each turn of a session. */
function readInit(message: SystemMessage, state: ClaudeState): readonly Untimed[] {
  if (message.session_id === undefined || message.session_id === state.sessionId) return []
  state.sessionId = message.session_id
  return [{ kind: 'session', session_id: message.session_id, model: message.model ?? null }]
}

function describeRetry({ error, error_status: status, attempt, max_retries: most }: SystemMessage): string {
  const what = typeof error === 'string' ? error.replaceAll('_', ' ') : 'request failed'
  const code = typeof status === 'number' ? ` ${status}` : ''
  return `API error${code}: ${what} (attempt ${attempt ?? '?'} of ${most ?? '?'})`
}

function readAssistantBlock(block: ContentBlock, message: AssistantMessage): readonly Untimed[] {
  if ('text' in block) {
    return [
      message.error === undefined || message.error === null
        ? { kind: 'text', text: block.text }
        : { kind: 'error', message: block.text, retrying: false },
    ]
  }
  if ('thinking' in block) return block.thinking === '' ? [] : [{ kind: 'reasoning', text: block.thinking }]
  if ('input' in block) {
    return [{ kind: 'tool_call', call_id: block.id, tool: block.name, input: readableInput(block.input) }]
  }
  return []
}

/** What the CLI tells the model: tool results, and text of its own. Of that text only an interruption is news. */
function readUser(message: UserMessage, state: ClaudeState): readonly Untimed[] {
  const { content } = message.message
  if (typeof content === 'string') return []
  return content.flatMap((block): readonly Untimed[] => {
    if ('tool_use_id' in block) return [readToolResult(block, message, state)]
    return 'text' in block && block.text.startsWith(INTERRUPTED) ? [{ kind: 'status', state: 'idle' }] : []
  })
}

function readToolResult(block: ToolResultBlock, message: UserMessage, state: ClaudeState): Untimed {
  const meta = message.tool_result_meta?.find(({ id }) => id === block.tool_use_id)
  if (meta?.permission_decision?.decision === 'reject') state.denied.add(block.tool_use_id)
  const output = readableContent(block.content)
  const code = block.is_error === true ? /^Exit code (\d+)\b/.exec(output)?.[1] : undefined
  return {
    kind: 'tool_result',
    call_id: block.tool_use_id,
    output,
    outcome: state.denied.has(block.tool_use_id) ? 'denied' : block.is_error === true ? 'failed' : 'ok',
    exit_code: code === undefined ? null : Number(code),
  }
}

function readResult(message: ResultMessage, state: ClaudeState): readonly Untimed[] {
  const denials = message.permission_denials ?? []
  state.spending = addUsage(state.spending, message)
  return [
    // Older versions name refused calls only here, after their result has been read as a failure.
    ...denials.filter(({ tool_use_id: id }) => !state.denied.has(id)).map(deniedResult),
    {
      kind: 'result',
      ok: !message.is_error,
      summary: summarise(message),
      usage: {
        ...state.spending,
        turns: message.num_turns ?? null,
        denied_tools: denials.map(({ tool_name: name }) => name),
      },
    },
  ]
}

const deniedResult = ({ tool_use_id: id }: { readonly tool_use_id: string }): Untimed => ({
  kind: 'tool_result',
  call_id: id,
  output: "The runner's permissions refused it.",
  outcome: 'denied',
  exit_code: null,
})

/** The runner's last words, without its diagnostics. */
function summarise(message: ResultMessage): string {
  const errors = (message.errors ?? []).filter((error) => !error.startsWith('[ede_diagnostic]'))
  if (message.result) return message.result
  if (errors.length > 0) return errors.join('\n')
  return message.is_error ? (message.terminal_reason ?? message.subtype).replaceAll('_', ' ') : ''
}
