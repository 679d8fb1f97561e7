// Keys that stay ours while an agent's terminal has the keyboard.

import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Step, stay } from './message.ts'

export const PANE_ACTS: Acts<`pane.${'leave' | 'page_up' | 'page_down'}`> = {
  'pane.leave': (state) => stay({ ...state, stage: { ...state.stage, active: null } }),
  'pane.page_up': (state) => scroll(state, 'page_up'),
  'pane.page_down': (state) => scroll(state, 'page_down'),
}

function scroll(state: DashboardState, lines: 'page_up' | 'page_down'): Step {
  const { active } = state.stage
  return active === null ? stay(state) : also(state, { do: 'scroll', pane: active, lines })
}
