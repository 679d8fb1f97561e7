// What the diff view knows: the diff that was read last, what is wanted instead, and where the person is in it.

import type { DiffRequest, SandboxDiff, WorkPart } from '../../../core/model/change.ts'
import { type Action, BINDINGS } from '../keys/bindings.ts'
import { type DiffContent, readDiffContent } from './diff-content.ts'
import { EMPTY_FLOW, type Flow, type Folds, fileAt, layFlow, rowAt, rowOfLine } from './diff-flow.ts'
import { findMatches, type Match } from './find-matches.ts'
import type { Highlighter } from './highlighter.ts'
import type { LineNumber } from './patch-file.ts'

export interface DiffFacts {
  /** The invocation's id. */
  readonly id: string
  /** Its name on the border, such as `b7c9 claude`. */
  readonly name: string
  /** The person's chord for an action. Default: the one in the table. */
  readonly chord?: (action: Action) => string | undefined
  /** What to say if nothing differs. Default: words for the whole work of an invocation. */
  readonly empty?: string
}

/** As the facade's diffInvocation takes it. */
export type DiffWant = DiffRequest & { readonly patch: true; readonly ignore_whitespace: boolean }

export interface DiffFailure {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface DiffSearch {
  readonly text: string
  readonly matches: readonly Match[]
  /** The match that the person went to last. */
  readonly current: number | null
}

export type DiffFocus = 'commits' | 'files' | 'hunks'

export type Tops = Readonly<Record<DiffFocus, number>>

export interface DiffState {
  readonly facts: DiffFacts
  readonly want: DiffWant
  /** Since when it is being read; null while nothing is being read. */
  readonly loading: Date | null
  /** Why the last attempt to read has failed. */
  readonly failure: DiffFailure | null
  /** As it was last read. It may be about another part than is wanted now. */
  readonly content: DiffContent | null
  readonly flow: Flow
  readonly folds: Folds
  readonly focus: DiffFocus
  /** The row at which the person is. */
  readonly cursor: number
  /** For each box, the first row that is shown. */
  readonly tops: Tops
  /** Cells by which the code is moved to the left. */
  readonly shift: number
  readonly search: DiffSearch | null
  readonly highlighter: Highlighter | null
}

const TOPS: Tops = { commits: 0, files: 0, hunks: 0 }

/** Not read yet; `want` says what has to be read. */
export const openDiff = (facts: DiffFacts, now: Date): DiffState => ({
  facts,
  want: { patch: true, ignore_whitespace: false },
  loading: now,
  failure: null,
  content: null,
  flow: EMPTY_FLOW,
  folds: new Map(),
  focus: 'files',
  cursor: 0,
  tops: TOPS,
  shift: 0,
  search: null,
  highlighter: null,
})

/** Notes that reading begins, for the first time or again. */
export const loadDiff = (state: DiffState, now: Date): DiffState => ({ ...state, loading: now })

/**
 * An answer to what is no longer wanted changes nothing. If the same part is shown again, the person stays at their
 * place.
 */
export function receiveDiff(state: DiffState, diff: SandboxDiff): DiffState {
  const { part = null, ignore_whitespace } = state.want
  if (diff.part !== part || diff.ignore_whitespace !== ignore_whitespace) return state
  const content = readDiffContent(diff)
  const same = state.content !== null && state.content.part === content.part
  const fresh: DiffState = {
    ...state,
    loading: null,
    failure: null,
    content,
    flow: layFlow(content, state.folds),
    search: state.search === null ? null : searchAgain(state.search, content),
  }
  return same
    ? keepPlace(state, fresh)
    : { ...fresh, cursor: 0, tops: { ...state.tops, files: 0, hunks: 0 }, shift: 0 }
}

const searchAgain = ({ text }: DiffSearch, content: DiffContent): DiffSearch => ({
  text,
  matches: findMatches(content, text),
  current: null,
})

/** What was read before is kept for when reading works again. Until then it is not shown as the present state. */
export const failDiff = (state: DiffState, failure: DiffFailure): DiffState => ({
  ...state,
  loading: null,
  failure,
})

/** Until then lines have no colours. */
export const colourDiff = (state: DiffState, highlighter: Highlighter): DiffState => ({
  ...state,
  highlighter,
})

/** The person's place in the list of commits. */
export const currentPart = (state: DiffState): number =>
  Math.max(0, partsOf(state).indexOf(state.want.part ?? 'uncommitted'))

/** null while what is wanted has not been read, because nothing else may be shown in its place. */
export const shownContent = ({ content, want, failure }: DiffState): DiffContent | null =>
  failure === null && content?.part === (want.part ?? null) ? content : null

/** The file that the person is in. */
export const currentFile = ({ flow, cursor }: DiffState): number | null => fileAt(flow, cursor)

/** The parts that can be looked at one by one, newest first. */
export function partsOf({ content }: DiffState): readonly WorkPart[] {
  if (content === null) return []
  const commits = content.commits.map(({ commit }) => commit)
  return content.dirty ? ['uncommitted', ...commits] : commits
}

export function refold(state: DiffState, folds: Folds): DiffState {
  const flow = state.content === null ? EMPTY_FLOW : layFlow(state.content, folds)
  return keepPlace(state, { ...state, folds, flow })
}

/** The person's key for an action; empty if they have taken it away. */
export const chordFor = ({ chord }: DiffFacts, action: Action): string =>
  (chord === undefined ? BINDINGS.find((one) => one.action === action)?.chords[0] : chord(action)) ?? ''

/** Finds the same line of the same file again, and keeps it at the same height. */
function keepPlace(before: DiffState, after: DiffState): DiffState {
  const cursor = samePlace(before, after)
  const hunks = Math.max(0, cursor - (before.cursor - before.tops.hunks))
  return { ...after, cursor, tops: { ...after.tops, hunks } }
}

function samePlace(before: DiffState, after: DiffState): number {
  const row = rowAt(before.flow, before.cursor)
  const last = Math.max(0, after.flow.length - 1)
  if (row === null || row.kind === 'missing') return Math.min(before.cursor, last)
  const path = before.content?.files[row.file]?.change.path
  const file = after.content?.files.findIndex(({ change }) => change.path === path) ?? -1
  if (file < 0) return Math.min(before.cursor, last)
  if (row.kind !== 'hunk' && row.kind !== 'line') return after.flow.heads[file] ?? 0
  const { old, new: fresh } = row.hunk.line(row.kind === 'line' ? row.at : 0)
  const line: LineNumber =
    fresh === null ? { side: 'old', number: old ?? row.hunk.oldStart } : { side: 'new', number: fresh }
  return rowOfLine(after.flow, file, line) - (row.kind === 'hunk' ? 1 : 0)
}
