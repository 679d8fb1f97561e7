// Moves through a log: a cursor that takes the screen along, or the screen that takes the cursor along. Whoever moves on
// at the end follows it again.

import type { Size } from '../scene.ts'
import { type LogPlace, type LogState, type Stand, withScript } from './log-state.ts'
import {
  comparePlaces,
  firstPlace,
  lastPlace,
  measureLog,
  nextPlace,
  openReel,
  previousPlace,
  type Reel,
  screenPlaces,
  settlePlace,
} from './reel.ts'

/** Moves the cursor by rows; the screen goes along where it would leave it. */
export function moveCursor(state: LogState, amount: number, size: Size): LogState {
  const { reel, height } = openView(state, size)
  const { stand } = reel.script
  const cursor = stand === null ? lastPlace(reel) : settlePlace(reel, stand.cursor)
  if (cursor === null || (stand === null && amount > 0)) return state
  const moved = walk(reel, cursor, amount)
  if (amount > 0 && moved.left > 0) return followEnd(state)
  return standAt(state, revealed(reel, moved.place, height))
}

/** Moves the screen by rows; the cursor stays on it, and goes to the top where the screen can go no farther. */
export function moveScreen(state: LogState, amount: number, size: Size): LogState {
  const { reel, height } = openView(state, size)
  const places = screenPlaces(reel, height)
  const [top] = places
  const { stand } = reel.script
  if (top === undefined || (stand === null && amount > 0)) return state
  const moved = walk(reel, top, amount).place
  const shown = screenPlaces(standing(reel, { top: moved, cursor: moved }), height)
  const bottom = shown.at(-1) ?? moved
  if (amount > 0 && nextPlace(reel, bottom) === null) return followEnd(state)
  const cursor = comparePlaces(moved, top) === 0 ? top : clampPlace(stand?.cursor ?? bottom, moved, bottom)
  return standAt(state, { top: moved, cursor })
}

export const followEnd = (state: LogState): LogState => withScript(state, { stand: null, fresh: 0 })

export function goToStart(state: LogState, size: Size): LogState {
  const top = firstPlace(openView(state, size).reel)
  return top === null ? state : standAt(state, { top, cursor: top, start: true })
}

/** The cursor at a place, which is then on the screen. */
export function goToPlace(state: LogState, place: LogPlace, size: Size): LogState {
  const { reel, height } = openView(state, size)
  return standAt(state, revealed(reel, place, height))
}

const openView = (state: LogState, size: Size): { reel: Reel; height: number } => {
  const measure = measureLog(size)
  return { reel: openReel(state, measure), height: Math.max(1, measure.height) }
}

const standAt = (state: LogState, stand: Stand): LogState => withScript(state, { stand })
const standing = (reel: Reel, stand: Stand): Reel => ({ ...reel, script: { ...reel.script, stand } })
const clampPlace = (place: LogPlace, low: LogPlace, high: LogPlace): LogPlace =>
  comparePlaces(place, low) < 0 ? low : comparePlaces(place, high) > 0 ? high : place

/** `left`: rows that it could not go, as the log ends there. */
function walk(
  reel: Reel,
  start: LogPlace,
  amount: number,
): { readonly place: LogPlace; readonly left: number } {
  const step = amount < 0 ? previousPlace : nextPlace
  let place = start
  for (let left = Math.abs(amount); left > 0; left -= 1) {
    const moved = step(reel, place)
    if (moved === null) return { place, left }
    place = moved
  }
  return { place, left: 0 }
}

/** By a row or a few the screen scrolls; for what is farther away it jumps, and shows some of what is before it. */
function revealed(reel: Reel, cursor: LogPlace, height: number): Stand {
  const places = screenPlaces(reel, height)
  const top = places[0] ?? cursor
  const bottom = places.at(-1) ?? cursor
  if (comparePlaces(cursor, top) >= 0 && comparePlaces(cursor, bottom) <= 0) return { top, cursor }
  const near = comparePlaces(cursor, top) < 0 ? cursor : walk(reel, cursor, 1 - height).place
  const isNear = comparePlaces(cursor, walk(reel, top, -height).place) >= 0
  const isNearBelow = comparePlaces(cursor, walk(reel, bottom, height).place) <= 0
  if (isNear && isNearBelow) return { top: near, cursor }
  return { top: walk(reel, cursor, -Math.floor(height / 3)).place, cursor }
}
