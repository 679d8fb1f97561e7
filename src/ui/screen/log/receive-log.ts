// Takes in what was read of a log. Memory has a bound: of a log that goes on for ever the oldest part is let go, and
// where all of it is, is said at the top.

import type { LogBatch, LogItem } from '../../log/log-file.ts'
import { span } from '../../text/line.ts'
import { type Block, itemSize, JOINED, makeBlock, showsIn, type ToolResult } from './block.ts'
import { type LogState, type Script, type Stand, shownFile, withScript } from './log-state.ts'
import { researchLog } from './search-log.ts'

/** Blocks and characters of one form of a log that are kept. */
const MOST_BLOCKS = 200_000
const MOST_SIZE = 48_000_000

export function receiveLog(state: LogState, batch: LogBatch): LogState {
  const raw = batch.form === 'raw'
  const script = raw ? state.scripts.raw : state.scripts.readable
  const older = script.loaded && batch.from < script.from
  if (older && (batch.to !== script.from || script.closedAbove)) return state
  const grown = older ? prepend(script, batch) : letOldestGo(appendBatch(script, batch))
  const fresh = grown.stand === null || older ? grown.fresh : grown.fresh + countNew(state, script, grown)
  const head = noteAbove({ ...state, raw }, grown, script)
  const received = withScript(state, { ...grown, fresh, head }, raw)
  return raw === state.raw ? researchLog(received, script) : received
}

function countNew({ filter }: LogState, before: Script, { blocks, first }: Script): number {
  const added = blocks.slice(Math.max(0, before.first + before.blocks.length - first))
  return added.filter((block) => showsIn(block, filter)).length
}

/** Whether what is older than the first block may be read in. */
export const canReadOlder = ({ from, closedAbove, loaded }: Script): boolean =>
  loaded && from > 0 && !closedAbove

interface Draft {
  readonly blocks: Block[]
  readonly first: number
  readonly openCalls: Map<string, number>
  readonly orphans: Map<string, number>
  size: number
}

function appendBatch(script: Script, { items, from, to }: LogBatch): Script {
  const draft: Draft = {
    blocks: [...script.blocks],
    first: script.first,
    openCalls: new Map(script.openCalls),
    orphans: new Map(script.orphans),
    size: script.size,
  }
  for (const item of items) addItem(draft, item)
  return { ...script, ...draft, loaded: true, from: script.loaded ? script.from : from, to }
}

function prepend(script: Script, { items, from }: LogBatch): Script {
  const draft: Draft = { blocks: [], first: 0, openCalls: new Map(), orphans: new Map(), size: script.size }
  for (const item of items) addItem(draft, item)
  const first = script.first - draft.blocks.length
  const blocks = [...draft.blocks, ...script.blocks]
  const orphans = new Map(script.orphans)
  const openCalls = new Map([...shift(draft.openCalls, first), ...script.openCalls])
  for (const [call, seq] of orphans) {
    if (!joinResult({ blocks, first, openCalls }, call, resultAt(blocks[seq - first]))) continue
    blocks[seq - first] = JOINED
    orphans.delete(call)
  }
  const closedAbove = draft.size > MOST_SIZE || blocks.length > MOST_BLOCKS
  const all = new Map([...orphans, ...shift(draft.orphans, first)])
  const start = { seq: first - 1, line: 0, row: 0 }
  const stand: Stand = script.stand?.start ? { top: start, cursor: start, start: true } : script.stand
  return { ...script, blocks, first, openCalls, orphans: all, size: draft.size, from, closedAbove, stand }
}

function addItem(draft: Draft, item: LogItem): void {
  const { blocks, openCalls, orphans } = draft
  draft.size += itemSize(item)
  if (typeof item !== 'string' && item.kind === 'tool_result') {
    if (joinResult(draft, item.call_id, item)) return
    orphans.set(item.call_id, draft.first + blocks.length)
  }
  if (typeof item !== 'string' && item.kind === 'tool_call') {
    openCalls.set(item.call_id, draft.first + blocks.length)
  }
  blocks.push(makeBlock(item, blocks.at(-1)))
}

function joinResult(
  { blocks, first, openCalls }: Pick<Draft, 'blocks' | 'first' | 'openCalls'>,
  call: string,
  result: ToolResult | null,
): boolean {
  const at = (openCalls.get(call) ?? Number.NaN) - first
  const block = blocks[at]
  if (result === null || block?.kind !== 'call') return false
  blocks[at] = { ...block, result }
  openCalls.delete(call)
  return true
}

const resultAt = (block: Block | undefined): ToolResult | null =>
  block?.kind === 'event' && block.event.kind === 'tool_result' ? block.event : null

const shift = (seqs: ReadonlyMap<string, number>, by: number): [string, number][] =>
  [...seqs].map(([call, seq]) => [call, seq + by])

/** A tenth more than is needed: not every batch should move everything. */
function letOldestGo(script: Script): Script {
  if (script.size <= MOST_SIZE && script.blocks.length <= MOST_BLOCKS) return script
  let size = script.size
  let gone = 0
  while (
    gone < script.blocks.length &&
    (size > MOST_SIZE * 0.9 || script.blocks.length - gone > MOST_BLOCKS * 0.9)
  ) {
    size -= blockSize(script.blocks[gone])
    gone += 1
  }
  const first = script.first + gone
  const kept = (seqs: ReadonlyMap<string, number>): Map<string, number> =>
    new Map([...seqs].filter(([, seq]) => seq >= first))
  const { openCalls, orphans } = script
  return {
    ...script,
    blocks: script.blocks.slice(gone),
    first,
    size: Math.max(0, size),
    openCalls: kept(openCalls),
    orphans: kept(orphans),
    closedAbove: true,
  }
}

function blockSize(block: Block | undefined): number {
  if (block === undefined) return 0
  switch (block.kind) {
    case 'line':
      return itemSize(block.text)
    case 'event':
      return itemSize(block.event)
    case 'call':
      return itemSize(block.event) + (block.result === null ? 0 : itemSize(block.result))
    case 'note':
    case 'joined':
      return 0
  }
}

/** The same block for as long as it says the same: what is laid out is remembered by block. */
function noteAbove(state: LogState, script: Script, before: Script): Block | null {
  const { closedAbove, from } = script
  if (before.loaded && closedAbove === before.closedAbove && (from === 0) === (before.from === 0)) {
    return before.head
  }
  if (!closedAbove && from === 0) return null
  const { path } = shownFile(state)
  const words = closedAbove
    ? `what is older is not kept here; all of it is in ${path}`
    : 'reading what is older …'
  return { kind: 'note', lines: [span(words, 'dim')], gap: false }
}
