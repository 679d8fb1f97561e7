// What keys do in a log. `move.leave` ends the search; without a search it changes nothing, and the log is left.

import type { BoundVerb } from '../keys/bindings.ts'
import type { Size } from '../scene.ts'
import { foldLog } from './fold-log.ts'
import { LOG_FILTERS, type LogState, shownScript, withScript } from './log-state.ts'
import { measureLog } from './reel.ts'
import { followEnd, goToStart, moveCursor, moveScreen } from './scroll-log.ts'
import { beginSearch, endSearch, researchLog, stepSearch } from './search-log.ts'

export type LogAction = BoundVerb<'log'>
export type LogMove = BoundVerb<'move'>

/** `size` is that of the box, with its border. */
export function actOnLog(state: LogState, action: LogAction | LogMove, size: Size): LogState {
  const page = Math.max(1, measureLog(size).height - 1)
  switch (action) {
    case 'search':
      return beginSearch(state, size)
    case 'filter':
      return nextFilter(state)
    case 'raw':
      return researchLog({ ...state, raw: !state.raw }, null)
    case 'fold':
      return foldLog(state, 'toggle', size)
    case 'left':
      return foldLog(state, 'fold', size)
    case 'right':
      return foldLog(state, 'unfold', size)
    case 'next_match':
      return stepSearch(state, 1, size)
    case 'previous_match':
      return stepSearch(state, -1, size)
    case 'leave':
      return endSearch(state)
    case 'up':
      return moveCursor(state, -1, size)
    case 'down':
      return moveCursor(state, 1, size)
    case 'page_up':
      return moveScreen(state, -page, size)
    case 'page_down':
      return moveScreen(state, page, size)
    case 'first':
      return goToStart(state, size)
    case 'last':
      return followEnd(state)
  }
}

/** Plain lines have no kinds, so for them there is nothing to filter. */
function nextFilter(state: LogState): LogState {
  if (state.raw || state.facts.mode === 'headed') return state
  const at = LOG_FILTERS.indexOf(state.filter)
  const filter = LOG_FILTERS[(at + 1) % LOG_FILTERS.length] ?? 'all'
  const { stand } = shownScript(state)
  return researchLog(withScript({ ...state, filter }, { fresh: 0, stand }), null)
}
