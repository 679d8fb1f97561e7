// To which agent plain text goes as it was typed, so that it need not be taken apart into keys that mean nothing here. Pure.

import type { Binding } from '../bindings.ts'
import { chordOf } from '../input/input-event.ts'
import { charKey } from '../input/key-press.ts'
import { PLAIN_CHARACTERS } from '../input/plain-text.ts'
import { isTooSmall } from '../layout.ts'
import type { DashboardState } from './dashboard-state.ts'
import { boundAction, keyboardPane } from './groups.ts'

/** null where any of it would mean something here, or change what is shown. */
export function textPane(state: DashboardState): string | null {
  if (isTooSmall(state.size) || state.overlay !== null || state.hint !== null || bindsText(state)) return null
  const pane = keyboardPane(state)
  return pane === null || state.found[pane] !== undefined ? null : pane
}

const knownTexts = new WeakMap<readonly Binding[], boolean>()

/** Whether somebody has bound a plain character for panes. */
function bindsText(state: DashboardState): boolean {
  const before = knownTexts.get(state.bindings)
  if (before !== undefined) return before
  const binds = PLAIN_CHARACTERS.some((char) => boundAction(state, chordOf(charKey(char)), ['pane']) !== null)
  knownTexts.set(state.bindings, binds)
  return binds
}
