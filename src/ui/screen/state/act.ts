// What each action does to the state, and which commands it asks for. One function for each action of the table.

import type { Action } from '../keys/bindings.ts'
import { ANYWHERE_ACTS } from './act-anywhere.ts'
import { CHECKPOINT_ACTS } from './act-checkpoints.ts'
import { FACE_ACTS } from './act-face.ts'
import { INVOCATION_ACTS } from './act-invocation.ts'
import { MOVE_ACTS } from './act-move.ts'
import { PANE_ACTS } from './act-pane.ts'
import { WORKTREE_ACTS } from './act-worktree.ts'
import type { DashboardState } from './dashboard-state.ts'
import { type Step, stay } from './message.ts'
import { whyNot } from './why-not.ts'

export type Acts<A extends Action> = Readonly<Record<A, (state: DashboardState) => Step>>

const ACTS: Partial<Acts<Action>> = {
  ...PANE_ACTS,
  ...FACE_ACTS,
  ...CHECKPOINT_ACTS,
  ...ANYWHERE_ACTS,
  ...INVOCATION_ACTS,
  ...WORKTREE_ACTS,
  ...MOVE_ACTS,
}

/** An action that does not apply says why in the footer. */
export function act(state: DashboardState, action: Action): Step {
  const reason = whyNot(state, action)
  if (reason !== null) return stay({ ...state, hint: reason })
  return ACTS[action]?.(state) ?? stay(state)
}
