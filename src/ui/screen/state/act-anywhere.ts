// Keys that mean the same wherever the keyboard is.

import type { Action } from '../keys/bindings.ts'
import { openHelp } from '../overlays/help.ts'
import { openPalette } from '../overlays/palette.ts'
import type { Acts } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { openAgentForm, openWorktreeForm } from './forms.ts'
import { groupsOf } from './groups.ts'
import { also, stay } from './message.ts'
import { nextInNeed } from './needs-you.ts'
import { openPrompt } from './on-top.ts'
import { keepSelection, reveal, withTree } from './selection.ts'
import { whyNot } from './why-not.ts'

type AnywhereVerbs =
  | 'undo'
  | 'redo'
  | 'filter'
  | 'next'
  | 'zoom'
  | 'one'
  | 'two'
  | 'four'
  | 'archived'
  | 'palette'
  | 'help'
  | 'redraw'
  | 'suspend'
  | 'quit'

export const ANYWHERE_ACTS: Acts<`anywhere.${AnywhereVerbs}` | `new.${'agent' | 'worktree'}`> = {
  'new.agent': (state) => openAgentForm(state),
  'new.worktree': openWorktreeForm,
  'anywhere.undo': (state) =>
    also(state, { do: 'verb', verb: { verb: 'undo' }, words: 'undoing', about: null }),
  'anywhere.redo': (state) =>
    also(state, { do: 'verb', verb: { verb: 'redo' }, words: 'doing it again', about: null }),
  'anywhere.filter': (state) =>
    stay(openPrompt(state, { for: 'filter' }, { label: 'filter', text: state.tree.filter })),
  'anywhere.next': (state) => stay(toNext(state)),
  'anywhere.zoom': (state) => stay({ ...state, stage: { ...state.stage, zoomed: !state.stage.zoomed } }),
  'anywhere.one': (state) => stay(withSlots(state, 1)),
  'anywhere.two': (state) => stay(withSlots(state, 2)),
  'anywhere.four': (state) => stay(withSlots(state, 4)),
  'anywhere.archived': (state) =>
    stay(keepSelection(state, withTree(state, { archived: !state.tree.archived }))),
  'anywhere.palette': (state) => stay(showPalette(state)),
  'anywhere.help': (state) => stay(openHelpOnTop(state)),
  'anywhere.redraw': (state) => also(state, { do: 'redraw' }),
  'anywhere.suspend': (state) => also(state, { do: 'suspend' }),
  'anywhere.quit': (state) => also(state, { do: 'quit' }),
}

/** Gives the keyboard back to the tree. */
function toNext(state: DashboardState): DashboardState {
  const row = nextInNeed(state)
  if (row === null) return state
  return reveal({ ...state, stage: { ...state.stage, active: null } }, row.record.invocation_id)
}

function showPalette(state: DashboardState): DashboardState {
  const { bindings, memory } = state
  const recent = memory.recent_actions as readonly Action[]
  const popup = openPalette({ bindings, recent, whyNot: (action) => whyNot(state, action) })
  return { ...state, overlay: { kind: 'palette', popup } }
}

function openHelpOnTop(state: DashboardState): DashboardState {
  const { bindings, version } = state
  return {
    ...state,
    overlay: { kind: 'help', popup: openHelp({ bindings, version, active: groupsOf(state) }) },
  }
}

const withSlots = (state: DashboardState, count: 1 | 2 | 4): DashboardState => ({
  ...state,
  stage: { ...state.stage, count, zoomed: false },
})
