// What stands at the right of a log's border: what a search found, what is new, where in the log one is, what is shown.

import { formatClock } from '../../text/clock.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { makeVisible } from '../../text/visible.ts'
import { elide } from '../../text/width.ts'
import { glyph } from '../glyphs.ts'
import type { Look } from '../scene.ts'
import { blockTime } from './block.ts'
import { totalHits } from './hits.ts'
import { blockAt, type LogPlace, type LogSearch, type LogState, shownScript } from './log-state.ts'
import { currentMatch, isSearching } from './search-log.ts'

const LONGEST_SEARCH = 20

export function noteOfLog(state: LogState, places: readonly LogPlace[], look: Look): Line {
  const { search, filter } = state
  const parts = [
    ...(filter === 'all' || state.raw ? [] : [span(filter, 'accent')]),
    search === null ? standNote(state, places, look) : searchNote(state, search),
  ]
  return parts.flatMap((part, at): Span[] => (at === 0 ? [part] : [span(' · ', 'dim'), part]))
}

/** `/needle 3/17`; a `+` where not all has been searched, or read. */
function searchNote(state: LogState, search: LogSearch): Span {
  if (search.text === '') return span('/', 'accent')
  const more = isSearching(state) || shownScript(state).from > 0 ? '+' : ''
  const total = totalHits(search.hits)
  const count = total === 0 ? (more === '' ? 'none' : '…') : `${currentMatch(search) ?? '-'}/${total}${more}`
  const text = elide(makeVisible(search.text), LONGEST_SEARCH, 'middle')
  return span(`/${text} ${count}`, total === 0 && more === '' ? 'failed' : 'accent')
}

function standNote(state: LogState, places: readonly LogPlace[], look: Look): Span {
  const { stand, fresh } = shownScript(state)
  if (fresh > 0) return span(`${glyph('down', look)} ${fresh} new`, 'accent')
  if (stand === null) return span(state.ended ? 'end' : 'following', 'dim')
  const time = placeTime(state, places)
  return span(`${time}${time === '' ? '' : ' · '}${percentOf(state, places)}%`, 'dim')
}

function placeTime(state: LogState, places: readonly LogPlace[]): string {
  const script = shownScript(state)
  for (const { seq } of places) {
    const block = blockAt(script, seq)
    const time = block === null ? '' : formatClock(blockTime(block))
    if (time !== '') return time
  }
  return ''
}

/** How much of the whole log lies above the end of the screen, about: by bytes for what has not been read. */
function percentOf(state: LogState, places: readonly LogPlace[]): number {
  const { from, to, first, blocks } = shownScript(state)
  const seq = places.at(-1)?.seq ?? first
  const read = Math.min(1, Math.max(0, (seq - first + 1) / Math.max(1, blocks.length)))
  return Math.round(to === 0 ? 100 : (100 * (from + read * (to - from))) / to)
}
