// Keys that are not passed on while an agent's terminal has the keyboard.

import type { BoundVerb } from '../keys/bindings.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { also, type Step, stay } from './message.ts'
import { openPrompt } from './on-top.ts'

export const PANE_ACTS: Acts<`pane.${BoundVerb<'pane'>}`> = {
  'pane.leave': (state) => stay({ ...state, stage: { ...state.stage, active: null } }),
  'pane.page_up': (state) => scroll(state, 'page_up'),
  'pane.page_down': (state) => scroll(state, 'page_down'),
  'pane.search': beginPaneSearch,
  'pane.older': (state) => findAgain(state, 'older'),
  'pane.newer': (state) => findAgain(state, 'newer'),
}

function scroll(state: DashboardState, lines: 'page_up' | 'page_down'): Step {
  const { active } = state.stage
  return active === null ? stay(state) : also(state, { do: 'scroll', pane: active, lines })
}

function beginPaneSearch(state: DashboardState): Step {
  const { active } = state.stage
  if (active === null) return stay(state)
  return stay(
    openPrompt(state, { for: 'find', id: active }, { label: 'search', text: searchTextOf(state, active) }),
  )
}

const searchTextOf = (state: DashboardState, id: string): string => state.found[id]?.text ?? ''

function findAgain(state: DashboardState, direction: 'older' | 'newer'): Step {
  const { active } = state.stage
  const text = active === null ? '' : searchTextOf(state, active)
  if (active === null || text === '') return stay({ ...state, hint: 'nothing is searched for' })
  return also(state, { do: 'find', pane: active, text, direction })
}
