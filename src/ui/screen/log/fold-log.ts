// Unfolds a block, or folds it again: the one under the cursor, else the nearest above it on the screen, else below.

import type { Size } from '../scene.ts'
import { type LogPlace, type LogState, type Script, shownScript, withScript } from './log-state.ts'
import {
  comparePlaces,
  headPlace,
  measureLog,
  openReel,
  type Reel,
  screenPlaces,
  settlePlace,
} from './reel.ts'

export type FoldWish = 'fold' | 'unfold' | 'toggle'

export function foldLog(state: LogState, wish: FoldWish, size: Size): LogState {
  const { height, text } = measureLog(size)
  const reel = openReel(state, { text })
  const places = screenPlaces(reel, height)
  const seq = foldTarget(reel, places)
  const [top] = places
  if (seq === null || top === undefined) return state
  const isOpen = reel.script.unfolded.has(seq)
  if ((wish === 'unfold' && isOpen) || (wish === 'fold' && !isOpen)) return state
  const head = headPlace(reel, seq)
  const stand = { top: comparePlaces(head, top) < 0 ? head : top, cursor: head }
  return withScript(state, { unfolded: toggle(reel.script, seq), stand })
}

export function unfoldBlock(state: LogState, seq: number): LogState {
  const script = shownScript(state)
  return script.unfolded.has(seq) ? state : withScript(state, { unfolded: toggle(script, seq) })
}

/** The block that `enter` acts on; null where nothing on the screen can be folded. */
export function foldTarget(reel: Reel, places: readonly LogPlace[]): number | null {
  const { stand } = reel.script
  const cursor = stand === null ? places.at(-1) : settlePlace(reel, stand.cursor)
  if (cursor === undefined || cursor === null) return null
  const canFold = ({ seq }: LogPlace): boolean => reel.layoutAt(seq)?.foldable === true
  const above = places.findLast((place) => comparePlaces(place, cursor) <= 0 && canFold(place))
  return (above ?? places.find(canFold))?.seq ?? null
}

function toggle({ unfolded }: Script, seq: number): ReadonlySet<number> {
  const toggled = new Set(unfolded)
  if (!toggled.delete(seq)) toggled.add(seq)
  return toggled
}
