// Reads the lines of `codex exec --json`. Keeps what one line tells about later ones: which calls were announced, which
// were declined, and the last text, which is the summary of a turn that ends well. Pure, apart from that.

import type { StreamParser } from '../../core/model/stream-event.ts'
import { jsonStreamParser, type Untimed } from '../stream/json-stream.ts'
import { isCall, readCall, readCallResult } from './codex-items.ts'
import { type CodexMessage, codexMessage, type ItemMessage } from './codex-messages.ts'

export function createCodexParser(): StreamParser {
  const state: CodexState = { announced: new Set(), denied: [], lastText: '', lastError: null }
  return jsonStreamParser(codexMessage, (message) => readCodexMessage(message, state))
}

interface CodexState {
  readonly announced: Set<string>
  readonly denied: string[]
  lastText: string
  lastError: string | null
}

type Reading = readonly Untimed[] | null

function readCodexMessage(message: CodexMessage, state: CodexState): Reading {
  switch (message.type) {
    case 'thread.started':
      return [{ kind: 'session', session_id: message.thread_id, model: null }]
    case 'turn.started':
      return []
    case 'turn.completed':
      return [result(state, { ok: true, summary: state.lastText, usage: message.usage })]
    case 'turn.failed':
      return readFailure(message.error.message, state)
    case 'error':
      return [readError(message.message, state)]
    default:
      return readItem(message, state)
  }
}

/** `Reconnecting... 2/5 (why)` announces another try. Without such a count it has given up. */
function readError(message: string, state: CodexState): Untimed {
  state.lastError = message
  return { kind: 'error', message, retrying: /^Reconnecting\b.*\d+\/\d+/.test(message) }
}

/** Usually the error that fails a turn has been told once already; then it is not told again. */
function readFailure(message: string, state: CodexState): readonly Untimed[] {
  const failure = result(state, { ok: false, summary: message })
  return state.lastError === message ? [failure] : [readError(message, state), failure]
}

interface Verdict {
  readonly ok: boolean
  readonly summary: string
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number } | undefined
}

/** Codex tells no price. Its tokens are those of the whole thread, with the runs before this one. */
const result = (state: CodexState, { ok, summary, usage }: Verdict): Untimed => ({
  kind: 'result',
  ok,
  summary,
  usage: {
    cost_usd: null,
    input_tokens: usage?.input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    turns: null,
    denied_tools: [...state.denied],
  },
})

function readItem({ type, item }: ItemMessage, state: CodexState): Reading {
  if (isCall(item)) return readCallItem({ type, item }, state)
  if (type !== 'item.completed') return []
  if (item.type === 'agent_message') {
    state.lastText = item.text ?? ''
    return [{ kind: 'text', text: state.lastText }]
  }
  if (item.type === 'reasoning') return [{ kind: 'reasoning', text: item.text ?? '' }]
  // Only a notice: the turn goes on, so the run has not failed.
  return item.type === 'error' ? [{ kind: 'output', stream: 'stderr', text: item.message ?? '' }] : null
}

/** A call is announced once. A plan is announced again each time it changes. */
function readCallItem({ type, item }: ItemMessage, state: CodexState): readonly Untimed[] {
  const fresh = !state.announced.has(item.id) || item.type === 'todo_list'
  state.announced.add(item.id)
  const call = fresh ? [readCall(item)] : []
  if (type !== 'item.completed') return call
  if (item.status === 'declined') state.denied.push(readCall(item).tool)
  return [...call, readCallResult(item)]
}
