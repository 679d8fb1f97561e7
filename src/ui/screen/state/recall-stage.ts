// Brings back what was on the stage in the last run: pins, number of panes, and what was looked at last.

import type { StageMemory } from '../ui-memory.ts'
import type { DashboardState } from './dashboard-state.ts'
import { showAwaited } from './forms.ts'
import { also, type Step } from './message.ts'
import { selectedRow } from './selection.ts'

/** If the stage has been used meanwhile, it stays as it is. */
export function recallStage(state: DashboardState): DashboardState {
  const { stage } = state.memory
  const { active, pinned, count } = state.stage
  const used = active !== null || pinned.length > 0 || count !== 1 || state.awaited !== null
  if (stage === undefined || used) return state
  const recalled = { ...state, stage: { ...state.stage, count: stage.count, pinned: stage.pinned } }
  return stage.selected === null ? recalled : showAwaited(recalled, { id: stage.selected, focus: false })
}

/** Written when panes change and when the dashboard is left, but not for each new selection. */
export function keepStage(step: Step): Step {
  const { state, commands } = step
  if (!state.recalled) return step
  const { stage: kept = EMPTY } = state.memory
  const stage = stageOf(state)
  const leaves = commands.some((command) => command.do === 'quit')
  if (samePanes(stage, kept) && (!leaves || stage.selected === kept.selected)) return step
  const memory = { ...state.memory, stage }
  // This memory holds what the step itself remembers, too.
  const others = commands.filter((command) => command.do !== 'remember')
  return also({ ...state, memory }, { do: 'remember', memory }, ...others)
}

const EMPTY: StageMemory = { count: 1, pinned: [], selected: null }

const stageOf = (state: DashboardState): StageMemory => ({
  count: state.stage.count,
  pinned: [...state.stage.pinned],
  selected: selectedRow(state)?.record.invocation_id ?? null,
})

const samePanes = (one: StageMemory, other: StageMemory): boolean =>
  one.count === other.count && one.pinned.join() === other.pinned.join()
