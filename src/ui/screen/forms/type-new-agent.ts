// What a key, a paste or a click does to the form of an agent.

import { editedText } from '../edit/text-editor.ts'
import { clickInField, type TextField, typeInField } from '../edit/text-field.ts'
import { clickInEditor, typeInEditor } from '../edit/type-in-editor.ts'
import { pressedChord } from '../edit/typed-text.ts'
import type { InputEvent, KeyPress, MouseAction } from '../input/input-event.ts'
import { namedKey } from '../input/key-press.ts'
import { cancelled, type PopupOutcome, stillOpen, submitted } from '../overlays/popup.ts'
import type { Rect, Size } from '../scene.ts'
import { choicesOf, chooseValue, fieldsOf, firstProblem } from './agent-fields.ts'
import { type AgentOrder, orderOf } from './agent-order.ts'
import { LABEL_WIDTH } from './form-rows.ts'
import { type AgentField, type NewAgent, runnerOf } from './new-agent.ts'
import { layOutNewAgent } from './new-agent-layout.ts'
import { completionOf } from './suggest-name.ts'

export interface NewAgentStep {
  readonly state: NewAgent
  readonly outcome:
    | PopupOutcome<AgentOrder>
    /** Open $EDITOR with the text, then receiveEdited. */
    | { readonly kind: 'wants_editor'; readonly text: string }
    /** The form goes while the start goes on. */
    | { readonly kind: 'left_starting' }
}

const SUBMITS = ['ctrl+s', 'alt+enter', 'ctrl+enter', 'meta+enter']
const TEXT_FIELDS = ['new_worktree', 'name', 'model'] as const
type TextFieldName = (typeof TEXT_FIELDS)[number]

export function typeInNewAgent(state: NewAgent, event: InputEvent, screen: Size): NewAgentStep {
  const chord = pressedChord(event)
  if (chord === 'escape' || chord === 'ctrl+c') return leaveForm(state)
  if (state.phase.kind === 'starting') return stillOpen(state)
  if (event.kind === 'mouse') return stillOpen(clickInAgentForm(state, event, screen))
  if (chord !== null && SUBMITS.includes(chord)) return submitAgent(state)
  if (chord === 'ctrl+e') return { state, outcome: { kind: 'wants_editor', text: editedText(state.prompt) } }
  if (chord === 'enter' && state.focus !== 'prompt') return submitAgent(state)
  const moved = chord === null ? null : moveFocus(state, chord)
  return stillOpen(moved ?? typeInFocused(state, event, screen))
}

const leaveForm = (state: NewAgent): NewAgentStep =>
  state.phase.kind === 'starting' ? { state, outcome: { kind: 'left_starting' } } : cancelled(state)

/** With something missing the form says what, and goes there. */
function submitAgent(state: NewAgent): NewAgentStep {
  const missing = firstProblem(state)
  if (missing !== null) return stillOpen({ ...edited(state), focus: missing, attempted: true })
  return submitted({ ...state, phase: { kind: 'starting', says: 'starting' } }, orderOf(state))
}

/** A failure is of what the form said before. */
const edited = (state: NewAgent): NewAgent =>
  state.phase.kind === 'failed' ? { ...state, phase: { kind: 'editing' } } : state

function moveFocus(state: NewAgent, chord: string): NewAgent | null {
  const { line, offset } = state.prompt.cursor
  const inPrompt = state.focus === 'prompt'
  if (chord === 'tab') return focusBy(state, 1)
  if (chord === 'shift+tab') return focusBy(state, -1)
  if (chord === 'up' && (!inPrompt || (line === 0 && offset === 0))) return focusBy(state, -1)
  return chord === 'down' && !inPrompt ? focusBy(state, 1) : null
}

function focusBy(state: NewAgent, by: number): NewAgent {
  const fields = fieldsOf(state)
  const at = fields.indexOf(state.focus) + by
  return { ...state, focus: fields[(at + fields.length) % fields.length] ?? 'prompt' }
}

function typeInFocused(state: NewAgent, event: InputEvent, screen: Size): NewAgent {
  if (state.focus === 'prompt') {
    const prompt = typeInEditor(state.prompt, event, promptSize(layOutNewAgent(state, screen).editor))
    return prompt === null ? state : { ...edited(state), prompt }
  }
  if (isTextField(state.focus)) return typeInText(state, state.focus, event)
  return event.kind === 'key' ? turn(state, event) : state
}

const isTextField = (field: AgentField): field is TextFieldName => TEXT_FIELDS.some((one) => one === field)

function typeInText(state: NewAgent, name: TextFieldName, event: InputEvent): NewAgent {
  const field = name === 'model' ? completeModel(state, event) : null
  const typed = field ?? typeInField(state[name], event)
  return typed === null ? state : { ...edited(state), [name]: typed }
}

/** Right at the end of the text takes the completion that is shown. */
function completeModel(state: NewAgent, event: InputEvent): TextField | null {
  const { text, cursor } = state.model
  const rest = completionOf(text, runnerOf(state)?.models ?? [])
  const takes = pressedChord(event) === 'right' && cursor === text.length && rest !== ''
  return takes ? { ...state.model, text: text + rest, cursor: text.length + rest.length } : null
}

const TURNS: Readonly<Record<string, number>> = { left: -1, right: 1, space: 1, '+': 1, '-': -1 }

function turn(state: NewAgent, key: KeyPress): NewAgent {
  const by = Object.hasOwn(TURNS, key.name) ? (TURNS[key.name] ?? 0) : 0
  const choices = choicesOf(state, state.focus)
  if (by === 0 || key.event === 'release' || choices.length === 0) return state
  const at = choices.findIndex(({ chosen }) => chosen)
  const next = choices[at === -1 ? 0 : (at + by + choices.length) % choices.length]
  return next === undefined ? state : chooseValue(edited(state), state.focus, next.value)
}

function clickInAgentForm(state: NewAgent, event: MouseAction, screen: Size): NewAgent {
  const { editor, fields, rows, top } = layOutNewAgent(state, screen)
  if (event.action === 'wheel_up' || event.action === 'wheel_down')
    return wheel(state, event, promptSize(editor))
  if (event.action !== 'press' || event.button !== 'left') return state
  const point = { x: event.x - editor.x, y: event.y - editor.y }
  if (isInside(editor, event)) {
    return { ...state, focus: 'prompt', prompt: clickInEditor(state.prompt, point, promptSize(editor)) }
  }
  const inner = { ...fields, y: fields.y + 1, height: fields.height - 2 }
  const row = isInside(inner, event) ? rows[top + event.y - inner.y] : undefined
  if (row === undefined) return state
  const cell = event.x - fields.x - 2
  const focused = { ...state, focus: row.field }
  const hit = row.hits?.find(({ from, to }) => cell >= from && cell < to)
  if (hit !== undefined) return chooseValue(edited(focused), row.field, hit.value)
  if (!isTextField(row.field)) return focused
  const width = fields.width - 4 - LABEL_WIDTH
  return { ...focused, [row.field]: clickInField(state[row.field], Math.max(0, cell - LABEL_WIDTH), width) }
}

function wheel(state: NewAgent, event: MouseAction, size: Size): NewAgent {
  const key = namedKey(event.action === 'wheel_up' ? 'up' : 'down')
  return { ...state, prompt: typeInEditor(state.prompt, key, size) ?? state.prompt }
}

const promptSize = ({ width, height }: Rect): Size => ({ columns: width, rows: height })

const isInside = (rect: Rect, { x, y }: MouseAction): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height
