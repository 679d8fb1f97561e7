// What the views of a frame share.

import type { Look } from '../scene.ts'
import type { DashboardState } from '../state/dashboard-state.ts'

export const lookOf = ({ now, tick, ascii }: DashboardState, focused: boolean): Look => ({
  now,
  tick,
  ascii,
  focused,
})
