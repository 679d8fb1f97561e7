// Where an input event goes: to what lies on top, to the agent whose terminal has the keyboard, or through the table of
// bindings to an action, the nearest group first.

import { chordOf, type InputEvent, type KeyPress } from '../input/input-event.ts'
import type { Action } from '../keys/bindings.ts'
import { showChord } from '../keys/chord-names.ts'
import { isTooSmall } from '../layout.ts'
import { noteAction } from '../ui-memory.ts'
import { act } from './act.ts'
import type { DashboardState } from './dashboard-state.ts'
import { boundAction, groupsOf, keyboardPane } from './groups.ts'
import { also, type Step, stay } from './message.ts'
import { shownChord } from './naming.ts'
import { typeOnTop } from './on-top.ts'
import { point } from './point.ts'
import { whyNot } from './why-not.ts'

export function routeInput(state: DashboardState, event: InputEvent): Step {
  if (event.kind === 'reply') return stay(state)
  if (event.kind === 'focus') return stay({ ...state, looked_at: event.gained })
  if (isTooSmall(state.size)) return event.kind === 'key' ? pressUnseen(state, event) : stay(state)
  const fresh = event.kind === 'key' && event.event !== 'release' ? withoutHint(state) : state
  const onTop = typeOnTop(fresh, event)
  if (onTop !== null) return onTop.chosen === undefined ? onTop : actFromPalette(onTop.state, onTop.chosen)
  if (event.kind === 'mouse') return point(state, event)
  const pane = keyboardPane(state)
  if (event.kind === 'paste') return pane === null ? stay(state) : also(state, { do: 'type', pane, event })
  return pane === null ? press(fresh, event, state.hint) : pressInPane(fresh, event, pane)
}

/**
 * Usually there is no hint. Then the state stays the same object: otherwise each key for an agent would draw a scene
 * before its echo.
 */
const withoutHint = (state: DashboardState): DashboardState =>
  state.hint === null ? state : { ...state, hint: null }

function actFromPalette(state: DashboardState, action: Action): Step {
  const memory = noteAction(state.memory, action)
  const { state: after, commands } = act({ ...state, memory }, action)
  return also(after, ...commands, { do: 'remember', memory })
}

/** Actions that are possible without seeing anything. */
const UNSEEN: ReadonlySet<Action> = new Set(['anywhere.quit', 'anywhere.suspend', 'anywhere.redraw'])

/** On a screen that is too small nobody could see what a landing, or a word to an agent, would act on. */
function pressUnseen(state: DashboardState, key: KeyPress): Step {
  const action = boundAction(state, chordOf(key), ['anywhere'])
  if (key.event === 'release' || action === null || !UNSEEN.has(action)) return stay(state)
  return act(state, action)
}

/** A key of one of these groups says what it needs, wherever it is pressed. */
const ELSEWHERE = ['invocation', 'worktree'] as const

/** `said` is the hint that this key takes away. */
function press(state: DashboardState, key: KeyPress, said: string | null): Step {
  if (key.event === 'release') return stay(state)
  const chord = chordOf(key)
  const action = boundAction(state, chord, groupsOf(state))
  if (action !== null) return act(state, action)
  const elsewhere = boundAction(state, chord, ELSEWHERE)
  const reason = elsewhere === null ? null : whyNot(state, elsewhere)
  if (reason !== null) return stay({ ...state, hint: reason })
  if (chord === INTERRUPT && said === nothingBound(state, chord)) return act(state, 'anywhere.quit')
  return stay({ ...state, hint: nothingBound(state, chord) })
}

/** Somebody who presses it where no agent gets it wants to leave; who presses it twice in a row means it. */
const INTERRUPT = 'ctrl+c'

const toQuit = (quit: string): string => `${quit} quits, and so does Ctrl-C once more; agents go on`

function nothingBound(state: DashboardState, chord: string): string {
  const [quit, help] = [shownChord(state, 'anywhere.quit'), shownChord(state, 'anywhere.help')]
  if (chord === INTERRUPT) return quit === undefined ? 'Ctrl-C once more quits; agents go on' : toQuit(quit)
  const nothing = `${showChord(chord, state)} does nothing here`
  return help === undefined ? nothing : `${nothing}; ${help} shows the keys that do`
}

/** Only keys that are bound for panes are ours. Esc, Ctrl-C and all others are the agent's. */
function pressInPane(state: DashboardState, event: KeyPress, pane: string): Step {
  const chord = chordOf(event)
  const scrolls = (chord === 'page_up' || chord === 'page_down') && !hasOwnScreen(state, pane)
  const action = boundAction(state, scrolls ? `shift+${chord}` : chord, ['pane'])
  if (action === null) return also(withoutSearch(state, pane), { do: 'type', pane, event })
  return event.event === 'release' ? stay(state) : act(state, action)
}

/** Typing ends the search, and goes back to the end of what was printed. */
function withoutSearch(state: DashboardState, pane: string): DashboardState {
  if (state.found[pane] === undefined) return state
  const { [pane]: _, ...found } = state.found
  return { ...state, found }
}

const hasOwnScreen = (state: DashboardState, pane: string): boolean =>
  state.panes[pane]?.alternate_screen === true
