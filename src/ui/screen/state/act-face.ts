// Keys of the log and the diff. What they do is decided by the one that has the keyboard.

import { BINDINGS } from '../keys/bindings.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { actOnFace, type FaceAction, searchFace } from './faces.ts'
import { type Step, stay } from './message.ts'
import { openPrompt } from './on-top.ts'

const isFaceAction = (action: string): action is FaceAction => /^(?:log|diff)\./.test(action)

const plain = BINDINGS.map(({ action }) => action)
  .filter(isFaceAction)
  .map((action) => [action, (state: DashboardState) => actOnFace(state, action)] as const)

export const FACE_ACTS: Partial<Acts<FaceAction>> = {
  ...Object.fromEntries(plain),
  'log.search': beginFaceSearch,
  'diff.search': beginFaceSearch,
}

function beginFaceSearch(state: DashboardState): Step {
  const id = state.stage.active
  if (id === null) return stay(state)
  const begun = searchFace(state, id, { text: '', stage: 'begun' })
  return stay(openPrompt(begun, { for: 'search', id }, { label: 'search' }))
}
