// What a log is made of for a reader: an event each, but a tool call together with its result, however far apart the
// two stand in the file.

import type { StreamEvent } from '../../../core/model/stream-event.ts'
import type { LogItem } from '../../log/log-file.ts'
import type { Line } from '../../text/line.ts'
import type { LogFilter } from './log-state.ts'

export type ToolCall = Extract<StreamEvent, { kind: 'tool_call' }>
export type ToolResult = Extract<StreamEvent, { kind: 'tool_result' }>

/** `gap`: an empty row sets it apart from what is above it. */
export type Block =
  | { readonly kind: 'event'; readonly event: Exclude<StreamEvent, ToolCall>; readonly gap: boolean }
  | {
      readonly kind: 'call'
      readonly event: ToolCall
      readonly result: ToolResult | null
      readonly gap: boolean
    }
  | { readonly kind: 'line'; readonly text: string }
  /** Words of ours above or below the log. */
  | { readonly kind: 'note'; readonly lines: readonly Line[]; readonly gap: boolean }
  /** A result that has joined its call. */
  | { readonly kind: 'joined' }

export const JOINED: Block = { kind: 'joined' }

export function makeBlock(item: LogItem, previous: Block | undefined): Block {
  if (typeof item === 'string') return { kind: 'line', text: item }
  const gap = isApart(item, previous)
  return item.kind === 'tool_call'
    ? { kind: 'call', event: item, result: null, gap }
    : { kind: 'event', event: item, gap }
}

export function showsIn(block: Block, filter: LogFilter): boolean {
  switch (block.kind) {
    case 'joined':
      return false
    case 'line':
    case 'note':
      return true
    case 'call':
      return passes(filter, block.event, block.result)
    case 'event':
      return passes(filter, block.event, block.event)
  }
}

function passes(filter: LogFilter, event: StreamEvent, verdict: StreamEvent | null): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'words':
      return SORTS[event.kind] === 'words' && event.kind !== 'reasoning'
    case 'tools':
      return SORTS[event.kind] === 'tools'
    case 'problems':
      return verdict !== null && isProblem(verdict)
  }
}

/** Characters in memory, about. */
export function itemSize(item: LogItem): number {
  if (typeof item === 'string') return item.length + 50
  let size = 200
  for (const value of Object.values(item)) if (typeof value === 'string') size += value.length
  return size
}

export const blockTime = (block: Block): string | null => ('event' in block ? block.event.at : null)

function isProblem(event: StreamEvent): boolean {
  switch (event.kind) {
    case 'error':
      return true
    case 'tool_result':
      return event.outcome !== 'ok'
    case 'result':
      return !event.ok
    case 'status':
      return event.state === 'blocked'
    case 'session':
    case 'prompt':
    case 'text':
    case 'reasoning':
    case 'tool_call':
    case 'output':
      return false
  }
}

/** What is said stands apart from everything; the rest only from what is of another sort. */
function isApart(event: StreamEvent, previous: Block | undefined): boolean {
  if (previous === undefined) return false
  const sort = SORTS[event.kind]
  return sort === 'words' || !('event' in previous) || SORTS[previous.event.kind] !== sort
}

const SORTS: Readonly<Record<StreamEvent['kind'], string>> = {
  session: 'session',
  prompt: 'words',
  text: 'words',
  reasoning: 'words',
  result: 'words',
  tool_call: 'tools',
  tool_result: 'tools',
  status: 'status',
  error: 'error',
  output: 'output',
}
