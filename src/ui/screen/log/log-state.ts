// What the log view knows of one run: what was read of its log, and where the person stands in it. A log has two forms,
// the readable one and the raw lines, and each keeps its own place.

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

/** A row on the screen, by what it shows: it stays the same when older parts come in or the width changes. */
export interface LogPlace {
  readonly seq: number
  /** Line of the block, as it is laid out. */
  readonly line: number
  /** Row of the line. */
  readonly row: number
}

/** null follows the end; `start` stays at the beginning while older parts come in. */
export type Stand = { readonly top: LogPlace; readonly cursor: LogPlace; readonly start?: true } | null

export const LOG_FILTERS = ['all', 'words', 'tools', 'problems'] as const
export type LogFilter = (typeof LOG_FILTERS)[number]

/** One form of a log. Blocks are numbered without gaps from `first` on; older ones that come later are below 0. */
export interface Script {
  readonly blocks: readonly Block[]
  readonly first: number
  /** What stands above the blocks and below them; null for nothing. */
  readonly head: Block | null
  readonly tail: Block | null
  /** Tool calls that have no result yet and results whose call is in an older part, each by its call. */
  readonly openCalls: ReadonlyMap<string, number>
  readonly orphans: ReadonlyMap<string, number>
  /** The bytes of the file that have been read. */
  readonly from: number
  readonly to: number
  /** Characters of all blocks, about. */
  readonly size: number
  /** No more is read of what is older: it would not fit, or was let go. */
  readonly closedAbove: boolean
  /** Something has been read, were it that the file is empty. */
  readonly loaded: boolean
  readonly stand: Stand
  readonly unfolded: ReadonlySet<number>
  /** Blocks that came since the person left the end. */
  readonly fresh: number
}

export interface LogSearch {
  readonly text: string
  /** The person is typing it. */
  readonly typing: boolean
  /** Where the person stood before. */
  readonly before: Stand
  /** The first block that was on the screen then: the search begins there. */
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

/** What is to be read for what is shown. */
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
