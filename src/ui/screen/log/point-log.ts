// What the mouse does in a log: a click goes to a row and unfolds what is there, the wheel scrolls.

import type { MouseAction } from '../input/input-event.ts'
import { innerRect, type Rect } from '../scene.ts'
import { foldLog } from './fold-log.ts'
import { type LogPlace, type LogState, withScript } from './log-state.ts'
import { headPlace, measureLog, openReel, type Reel, screenPlaces } from './reel.ts'
import { moveScreen } from './scroll-log.ts'

/** Rows that a notch of the wheel moves. */
const NOTCH = 3

/** `rect` is the place of the box. */
export function pointLog(state: LogState, mouse: MouseAction, rect: Rect): LogState {
  const size = { columns: rect.width, rows: rect.height }
  if (mouse.action === 'wheel_up') return moveScreen(state, -NOTCH, size)
  if (mouse.action === 'wheel_down') return moveScreen(state, NOTCH, size)
  if (mouse.action !== 'press' || mouse.button !== 'left') return state
  const inner = innerRect(rect)
  if (mouse.x < inner.x || mouse.x >= inner.x + inner.width || mouse.y < inner.y) return state
  const { height, text } = measureLog(size)
  const reel = openReel(state, { text })
  const places = screenPlaces(reel, height)
  const [top] = places
  const cursor = places[mouse.y - inner.y]
  if (top === undefined || cursor === undefined) return state
  const pointed = withScript(state, { stand: { top, cursor } })
  if (folds(reel, cursor)) return foldLog(pointed, 'toggle', size)
  return reel.script.stand === null ? state : pointed
}

/** All of what is folded unfolds at a click; of what is unfolded only its first line folds: the rest is being read. */
function folds(reel: Reel, { seq, line }: LogPlace): boolean {
  if (reel.layoutAt(seq)?.foldable !== true) return false
  return !reel.script.unfolded.has(seq) || line <= headPlace(reel, seq).line
}
