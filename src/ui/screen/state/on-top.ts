// What lies on top of the dashboard and gets keys first: a question, a line to type, the palette, the help, a form.

import { viewNewAgent } from '../forms/view-new-agent.ts'
import { viewNewWorktree } from '../forms/view-new-worktree.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Action } from '../keys/bindings.ts'
import { type Choice, typeInChoice, viewChoice } from '../overlays/choice.ts'
import { type Help, typeInHelp } from '../overlays/help.ts'
import { type Palette, typeInPalette } from '../overlays/palette.ts'
import type { PopupOutcome, PopupView } from '../overlays/popup.ts'
import { openPromptLine, type PromptLine, typeInPromptLine, viewPromptLine } from '../overlays/prompt-line.ts'
import { viewHelp } from '../overlays/view-help.ts'
import { viewPalette } from '../overlays/view-palette.ts'
import type { Look } from '../scene.ts'
import type { DashboardState } from './dashboard-state.ts'
import { searchFace } from './faces.ts'
import { type FormOverlay, typeInForm } from './forms.ts'
import { also, type Step, stay } from './message.ts'
import { keepSelection, withTree } from './selection.ts'

export type Overlay =
  | { readonly kind: 'choice'; readonly popup: Choice }
  | { readonly kind: 'prompt'; readonly popup: PromptLine; readonly purpose: PromptPurpose }
  | { readonly kind: 'palette'; readonly popup: Palette }
  | { readonly kind: 'help'; readonly popup: Help }
  | FormOverlay

/** What the line in place of the footer is typed for. */
export type PromptPurpose =
  | { readonly for: 'filter' }
  | { readonly for: 'search'; readonly id: string }
  | { readonly for: 'rename'; readonly id: string }
  /** In a terminal. */
  | { readonly for: 'find'; readonly id: string }
  | { readonly for: 'name_checkpoint'; readonly id: string; readonly checkpoint: number }

export const ask = (state: DashboardState, popup: Choice): DashboardState => ({
  ...state,
  overlay: { kind: 'choice', popup },
})

export function openPrompt(
  state: DashboardState,
  purpose: PromptPurpose,
  { label, text = '', placeholder = '' }: { label: string; text?: string; placeholder?: string },
): DashboardState {
  const popup = openPromptLine(label, { text, placeholder })
  return { ...state, overlay: { kind: 'prompt', popup, purpose } }
}

/** What an event leads to. `chosen` is an action to carry out as if its key had been pressed. */
export type TypedOnTop = Step & { readonly chosen?: Action }

/** null where nothing lies on top. */
export function typeOnTop(state: DashboardState, event: InputEvent): TypedOnTop | null {
  const { overlay, size } = state
  if (overlay === null) return null
  switch (overlay.kind) {
    case 'choice': {
      const { outcome } = typeInChoice(overlay.popup, event)
      if (outcome.kind === 'open') return stay(state)
      return also({ ...state, overlay: null }, ...(outcome.kind === 'submitted' ? outcome.value : []))
    }
    case 'prompt':
      return typePrompt(state, overlay, event)
    case 'palette': {
      const { state: popup, outcome } = typeInPalette(overlay.popup, event, size)
      const after = withOverlay(state, { ...overlay, popup }, outcome)
      return outcome.kind === 'submitted' ? { ...stay(after), chosen: outcome.value } : stay(after)
    }
    case 'help': {
      const { state: popup, outcome } = typeInHelp(overlay.popup, event, size)
      return stay(withOverlay(state, { ...overlay, popup }, outcome))
    }
    case 'new_agent':
    case 'new_worktree':
      return typeInForm(state, overlay, event)
  }
}

/** Keeps it while it is open. */
const withOverlay = (
  state: DashboardState,
  overlay: Overlay,
  outcome: PopupOutcome<unknown>,
): DashboardState => ({
  ...state,
  overlay: outcome.kind === 'open' ? overlay : null,
})

function typePrompt(
  state: DashboardState,
  overlay: Extract<Overlay, { kind: 'prompt' }>,
  event: InputEvent,
): Step {
  const { purpose } = overlay
  const { state: popup, outcome } = typeInPromptLine(overlay.popup, event)
  switch (outcome.kind) {
    case 'submitted':
      return submitPrompt({ ...state, overlay: null }, purpose, outcome.value)
    case 'cancelled':
      return followPrompt({ ...state, overlay: null }, purpose, null)
    case 'open': {
      const typed = { ...state, overlay: { ...overlay, popup } }
      return popup === overlay.popup ? stay(typed) : followPrompt(typed, purpose, popup.field.text)
    }
  }
}

/** The filter or search follows each key; null gives it up. */
function followPrompt(state: DashboardState, purpose: PromptPurpose, text: string | null): Step {
  switch (purpose.for) {
    case 'filter':
      return stay(keepSelection(state, withTree(state, { filter: text?.trim() ?? '' })))
    case 'find':
      return also(state, { do: 'find', pane: purpose.id, text: text ?? '', direction: 'older' })
    case 'search': {
      const stage = text === null ? 'given up' : 'typed'
      return stay(searchFace(state, purpose.id, { text: text ?? '', stage }))
    }
    case 'rename':
    case 'name_checkpoint':
      return stay(state)
  }
}

function submitPrompt(state: DashboardState, purpose: PromptPurpose, text: string): Step {
  switch (purpose.for) {
    case 'search':
      return stay(searchFace(state, purpose.id, { text, stage: 'done' }))
    case 'name_checkpoint':
      return submitCheckpointName(state, purpose, text.trim())
    case 'rename':
      return also(state, {
        do: 'verb',
        verb: { verb: 'rename', id: purpose.id, name: text },
        words: `renaming ${purpose.id.slice(-4)}`,
        about: purpose.id,
      })
    // These have followed each key already.
    case 'filter':
    case 'find':
      return stay(state)
  }
}

/** An empty name takes the checkpoint's name away. */
function submitCheckpointName(
  state: DashboardState,
  { id, checkpoint }: Extract<PromptPurpose, { for: 'name_checkpoint' }>,
  name: string,
): Step {
  return also(state, {
    do: 'verb',
    verb: { verb: 'name_checkpoint', id, checkpoint, name: name === '' ? null : name },
    words: `naming checkpoint ${checkpoint} of ${id.slice(-4)}`,
    about: id,
  })
}

export function viewOnTop(state: DashboardState, look: Look): PopupView {
  const { overlay, size } = state
  if (overlay === null) return { boxes: [], cursor: null }
  switch (overlay.kind) {
    case 'choice':
      return viewChoice(overlay.popup, size)
    case 'prompt': {
      const rect = { x: 0, y: size.rows - 1, width: size.columns, height: 1 }
      return viewPromptLine(overlay.popup, { rect }, look)
    }
    case 'palette':
      return viewPalette(overlay.popup, size, look)
    case 'help':
      return viewHelp(overlay.popup, size, look)
    case 'new_agent':
      return viewNewAgent(overlay.popup, size, look)
    case 'new_worktree':
      return viewNewWorktree(overlay.popup, size, look)
  }
}
