// The search in a diff: goes from match to match, beginning at the cursor, and starts again after the last.

import { rowOfMatch } from './diff-flow.ts'
import { type DiffState, refold, shownContent } from './diff-state.ts'
import { findMatches, type Match } from './find-matches.ts'

/** Goes to the first match from the cursor on. An empty text ends the search. */
export function searchDiff(state: DiffState, text: string): DiffState {
  const content = shownContent(state)
  if (text === '' || content === null) return { ...state, search: null }
  const search = { text, matches: findMatches(content, text), current: null }
  const searched = { ...state, search }
  return goToDiffMatch(searched, firstFrom(searched, state.cursor))
}

export function nextMatch(state: DiffState): DiffState {
  const { search, cursor } = state
  if (search === null) return state
  const next = search.current === null ? firstFrom(state, cursor + 1) : search.current + 1
  return goToDiffMatch(state, next % Math.max(1, search.matches.length))
}

/** Unfolds its file. */
function goToDiffMatch(state: DiffState, current: number): DiffState {
  const { search } = state
  const match = search?.matches[current]
  const path = shownContent(state)?.files[match?.file ?? -1]?.change.path
  if (search === null || match === undefined || path === undefined) return state
  const hidden = rowOfMatch(state.flow, match) === null
  const seen = hidden ? refold(state, new Map(state.folds).set(path, false)) : state
  const cursor = rowOfMatch(seen.flow, match) ?? seen.cursor
  return { ...seen, cursor, focus: 'hunks', search: { ...search, current } }
}

function firstFrom({ search, flow }: DiffState, row: number): number {
  const rowOf = (match: Match): number => rowOfMatch(flow, match) ?? flow.heads[match.file] ?? 0
  return Math.max(0, search?.matches.findIndex((match) => rowOf(match) >= row) ?? 0)
}
