// Searches a log as it is typed, in parts, so that keys are heard in a long one: `searchOn` goes on while `isSearching`.
// What is folded away is searched too, and unfolded where a match lies in it.

import type { Size } from '../scene.ts'
import { showsIn } from './block.ts'
import { unfoldBlock } from './fold-log.ts'
import { findHit, hitsFrom, setHit, totalHits } from './hits.ts'
import { type BlockLayout, layBlock, textsOf } from './lay-block.ts'
import {
  blockAt,
  type LogPlace,
  type LogSearch,
  type LogState,
  type Script,
  shownScript,
  withScript,
} from './log-state.ts'
import { compileSearch, countMatches, findRanges } from './matches.ts'
import { measureLog, openReel, screenPlaces } from './reel.ts'
import { goToPlace } from './scroll-log.ts'

/** Characters that are searched at once: some milliseconds of work. */
const PORTION = 100_000

/** The person begins to type what is searched for. */
export function beginSearch(state: LogState, size: Size): LogState {
  const { height, text } = measureLog(size)
  const [top] = screenPlaces(openReel(state, { text }), height)
  const { stand, first } = shownScript(state)
  const search = { text: '', typing: true, before: stand, origin: top?.seq ?? first, ...UNSEARCHED }
  return { ...state, search: { ...search, next: first } }
}

/** What has been typed so far. The first match from where the person stood is shown at once. */
export function searchLog(state: LogState, text: string, size: Size): LogState {
  const begun = state.search === null ? beginSearch(state, size) : state
  if (begun.search === null) return begun
  const { first } = shownScript(begun)
  return searchOn({ ...begun, search: { ...begun.search, text, ...UNSEARCHED, next: first } }, size)
}

/** The person has typed it all; nothing at all ends the search. */
export const acceptSearch = (state: LogState): LogState =>
  state.search === null || state.search.text === ''
    ? { ...state, search: null }
    : { ...state, search: { ...state.search, typing: false } }

/** As if it had not been: what was typed is given up, or what was found is no more of interest. */
export function endSearch(state: LogState): LogState {
  const { search } = state
  if (search === null) return state
  const ended = { ...state, search: null }
  return search.typing ? withScript(ended, { stand: search.before }) : ended
}

export const isSearching = (state: LogState): boolean =>
  state.search !== null && state.search.text !== '' && state.search.next < endOfScript(shownScript(state))

/** Searches the next part. */
export function searchOn(state: LogState, size: Size): LogState {
  const scanned = scanBlocks(state)
  const { search } = scanned
  if (search === null || search.current !== null || !search.typing) return scanned
  const { hits, origin } = search
  const found = hits[findHit(hits, origin)] ?? (isSearching(scanned) ? undefined : hits[0])
  return found === undefined ? scanned : goToLogMatch(scanned, found.seq, { nth: 0, size })
}

/** Goes to the next match or the one before, around the ends. */
export function stepSearch(state: LogState, step: 1 | -1, size: Size): LogState {
  const { search } = state
  if (search === null || search.hits.length === 0) return state
  const { hits, current } = search
  const at = findHit(hits, current?.seq ?? 0)
  const hit = hits[at]
  if (current === null || hit?.seq !== current.seq) return goToHit(state, step > 0 ? 0 : -1, { step, size })
  const nth = current.nth + step
  if (nth >= 0 && nth < hit.count) return goToLogMatch(state, hit.seq, { nth, size })
  return goToHit(state, (at + step) % hits.length, { step, size })
}

/** After more of the log was read, or what is shown of it has changed. `before` is what it was; null searches anew. */
export function researchLog(state: LogState, before: Script | null): LogState {
  const { search } = state
  if (search === null || search.text === '') return state
  const script = shownScript(state)
  if (before === null)
    return scanBlocks({ ...state, search: { ...search, ...UNSEARCHED, next: script.first } })
  if (script.first < before.first) {
    return scanBlocks({ ...state, search: { ...search, hits: [], next: script.first } })
  }
  const gone = search.current !== null && search.current.seq < script.first
  const known = { ...search, hits: hitsFrom(search.hits, script.first), ...(gone ? { current: null } : {}) }
  const next = Math.max(search.next, script.first)
  return scanBlocks(recount({ ...state, search: { ...known, next } }, before))
}

/** Which of all matches is shown, from 1; null before any is. */
export function currentMatch({ hits, current }: LogSearch): number | null {
  const hit = current === null ? undefined : hits[findHit(hits, current.seq)]
  return hit === undefined || current === null ? null : hit.before + current.nth + 1
}

const UNSEARCHED: Pick<LogSearch, 'hits' | 'current'> = { hits: [], current: null }

const endOfScript = ({ first, blocks }: Script): number => first + blocks.length

function scanBlocks(state: LogState): LogState {
  const { search } = state
  const pattern = search === null ? null : compileSearch(search.text)
  if (search === null || pattern === null) return state
  const script = shownScript(state)
  const hits = [...search.hits]
  let { next } = search
  for (let left = PORTION; left > 0 && next < endOfScript(script); next += 1) {
    const texts = searchedTexts(state, next)
    const count = countMatches(texts, pattern)
    if (count > 0) hits.push({ seq: next, count, before: totalHits(hits) })
    for (const text of texts) left -= text.length + 1
  }
  return { ...state, search: { ...search, hits, next } }
}

function searchedTexts(state: LogState, seq: number): string[] {
  const block = blockAt(shownScript(state), seq)
  return block === null || !showsIn(block, state.filter) ? [] : textsOf(block)
}

/** Calls that had been searched may have got their results since. */
function recount(state: LogState, before: Script): LogState {
  const { search } = state
  const pattern = compileSearch(search?.text ?? '')
  if (search === null || pattern === null) return state
  const hits = [...search.hits]
  for (const seq of before.openCalls.values()) {
    const isNew = seq >= search.next || blockAt(shownScript(state), seq) === blockAt(before, seq)
    if (!isNew) setHit(hits, seq, countMatches(searchedTexts(state, seq), pattern))
  }
  return { ...state, search: { ...search, hits } }
}

function goToHit(
  state: LogState,
  at: number,
  { step, size }: { readonly step: 1 | -1; readonly size: Size },
): LogState {
  const hit = state.search?.hits.at(at)
  return hit === undefined ? state : goToLogMatch(state, hit.seq, { nth: step > 0 ? 0 : hit.count - 1, size })
}

interface Goal {
  readonly nth: number
  readonly size: Size
}

function goToLogMatch(state: LogState, seq: number, { nth, size }: Goal): LogState {
  const { search } = state
  const pattern = search === null ? null : compileSearch(search.text)
  const block = blockAt(shownScript(state), seq)
  if (search === null || pattern === null || block === null) return state
  const texts = textsOf(block)
  const matches = texts.flatMap((text, at) =>
    findRanges(text, pattern).map(({ start }) => ({ text: at, start })),
  )
  const match = matches[nth]
  if (match === undefined) return state
  const width = measureLog(size).text
  const moved = { ...state, search: { ...search, current: { seq, nth } } }
  const isOpen = shownScript(state).unfolded.has(seq)
  const line = findHitRow(layBlock(block, { width, unfolded: isOpen }), match)
  if (line !== null) return goToPlace(moved, { seq, ...line }, size)
  const row = findHitRow(layBlock(block, { width, unfolded: true }), match) ?? { line: 0, row: 0 }
  return goToPlace(unfoldBlock(moved, seq), { seq, ...row }, size)
}

/** Where a match begins; null where that is folded away. */
function findHitRow(
  { lines }: BlockLayout,
  match: { readonly text: number; readonly start: number },
): Pick<LogPlace, 'line' | 'row'> | null {
  const line = lines.findLastIndex(({ text, from }) => text === match.text && from <= match.start)
  const found = lines[line]
  if (found === undefined) return null
  const at = match.start - found.from
  const row = found.rows().findLastIndex(({ start }) => start <= at)
  const isCut = found.brief && at >= (found.rows()[row]?.end ?? 0)
  return row < 0 || isCut ? null : { line, row }
}
