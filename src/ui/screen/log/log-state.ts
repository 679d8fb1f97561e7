// What the log view knows of one run: what was read of its log, and where the person is in it. A log has two forms, the
// readable one and the raw lines, and each has its own place.

import type { LogPaths } from '../../../core/facade/agency.ts'
import type { RunMode } from '../../../core/model/invocation.ts'
import type { DisplayState } from '../../../core/model/status.ts'
import { type LogFile, logFileOf } from '../../log/log-file.ts'
import type { Block } from './block.ts'
import type { LogHit } from './hits.ts'

export interface LogFacts {
  readonly id: string
  /** `b7c9 claude · my-feature` */
  readonly title: string
  readonly runner: string
  readonly mode: RunMode
  readonly display: DisplayState
  readonly paths: LogPaths
}

/** A row on the screen, by what it shows: it stays the same if older parts are read or the width changes. */
export interface LogPlace {
  readonly seq: number
  /** Line of the block, as it is laid out. */
  readonly line: number
  /** Row of the line. */
  readonly row: number
}

/** null follows the end. `start` stays at the beginning while older parts are read. */
export type Stand = { readonly top: LogPlace; readonly cursor: LogPlace; readonly start?: true } | null

export const LOG_FILTERS = ['all', 'words', 'tools', 'problems'] as const
export type LogFilter = (typeof LOG_FILTERS)[number]

/**
 * One form of a log. Blocks are numbered without gaps from `first`. Older ones that are read later have negative
 * numbers.
 */
export interface Script {
  readonly blocks: readonly Block[]
  readonly first: number
  /** What is shown above the blocks and below them; null for nothing. */
  readonly head: Block | null
  readonly tail: Block | null
  /** By call: tool calls without a result yet, and results whose call is in an older part. */
  readonly openCalls: ReadonlyMap<string, number>
  readonly orphans: ReadonlyMap<string, number>
  /** The bytes of the file that have been read. */
  readonly from: number
  readonly to: number
  /** Characters of all blocks, about. */
  readonly size: number
  /** Nothing older is read any more, because it would not fit, or was dropped before. */
  readonly closedAbove: boolean
  /** Something has been read, even if only that the file is empty. */
  readonly loaded: boolean
  readonly stand: Stand
  readonly unfolded: ReadonlySet<number>
  /** How many blocks have come since the person left the end. */
  readonly fresh: number
}

export interface LogSearch {
  readonly text: string
  /** Whether the person is still typing it. */
  readonly typing: boolean
  /** Where the person was before. */
  readonly before: Stand
  /** The first block that was on the screen then. The search begins there. */
  readonly origin: number
  readonly hits: readonly LogHit[]
  /** The next block to be searched. */
  readonly next: number
  readonly current: { readonly seq: number; readonly nth: number } | null
}

export interface LogState {
  readonly facts: LogFacts
  readonly raw: boolean
  readonly scripts: { readonly readable: Script; readonly raw: Script }
  readonly filter: LogFilter
  readonly search: LogSearch | null
  readonly ended: boolean
}

const EMPTY: Script = {
  blocks: [],
  first: 0,
  head: null,
  tail: null,
  openCalls: new Map(),
  orphans: new Map(),
  from: 0,
  to: 0,
  size: 0,
  closedAbove: false,
  loaded: false,
  stand: null,
  unfolded: new Set(),
  fresh: 0,
}

export const openLog = (facts: LogFacts): LogState => ({
  facts,
  raw: false,
  scripts: { readable: EMPTY, raw: EMPTY },
  filter: 'all',
  search: null,
  ended: false,
})

/** The file that has to be read for what is shown. */
export const shownFile = ({ facts, raw }: LogState): LogFile => logFileOf(facts.paths, facts.mode, raw)

export const shownScript = ({ raw, scripts }: LogState): Script => (raw ? scripts.raw : scripts.readable)

export const withScript = (state: LogState, change: Partial<Script>, raw = state.raw): LogState => ({
  ...state,
  scripts: raw
    ? { ...state.scripts, raw: { ...state.scripts.raw, ...change } }
    : { ...state.scripts, readable: { ...state.scripts.readable, ...change } },
})

export const blockAt = ({ blocks, first, head, tail }: Script, seq: number): Block | null => {
  if (seq === first - 1) return head
  return seq === first + blocks.length ? tail : (blocks[seq - first] ?? null)
}
