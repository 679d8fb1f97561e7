// The name of an invocation on borders, and of a key in sentences.

import { shortId } from '../../../core/model/ids.ts'
import type { Action } from '../keys/bindings.ts'
import { showChord } from '../keys/chord-names.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import type { DashboardState } from './dashboard-state.ts'

/** `b7c9 claude`, or with the name that the person gave it. */
export const nameRow = ({ record }: ObservedInvocation): string =>
  `${shortId(record.invocation_id)} ${record.invocation_name === '' ? record.runner : record.invocation_name}`

/** The person's first key for an action; undefined if they have taken it away. */
export function shownChord({ bindings, ascii }: DashboardState, action: Action): string | undefined {
  const chord = bindings.find((binding) => binding.action === action)?.chords[0]
  return chord === undefined ? undefined : showChord(chord, { ascii })
}
