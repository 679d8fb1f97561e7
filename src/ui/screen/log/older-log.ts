// Whether more of a log should be read, because the person is at the top of what was read.

import type { Size } from '../scene.ts'
import { type LogState, shownScript } from './log-state.ts'
import { canReadOlder } from './receive-log.ts'
import { measureLog, openReel, screenPlaces } from './reel.ts'

/** The byte before which `readOlder` should read now; null if enough has been read. */
export function olderWanted(state: LogState, size: Size): number | null {
  const script = shownScript(state)
  if (!canReadOlder(script) || script.blocks.length === 0) return null
  const { height, text } = measureLog(size)
  const top = screenPlaces(openReel(state, { text }), height)[0]
  return top === undefined || top.seq <= script.first ? script.from : null
}
