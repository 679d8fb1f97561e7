// What a key, a paste or a click does to the form of a worktree.

import { clickInField, openTextField, type TextField, typeInField } from '../edit/text-field.ts'
import { pressedChord } from '../edit/typed-text.ts'
import type { InputEvent, MouseAction } from '../input/input-event.ts'
import { cancelled, type PopupOutcome, stillOpen, submitted } from '../overlays/popup.ts'
import type { Size } from '../scene.ts'
import { LABEL_WIDTH } from './form-rows.ts'
import { type NewWorktree, type WorktreeOrder, worktreeProblem } from './new-worktree.ts'
import { worktreeRect, worktreeRows } from './new-worktree-layout.ts'
import { completionOf } from './suggest-name.ts'

export interface NewWorktreeStep {
  readonly state: NewWorktree
  /** `left_starting`: the form goes while the worktree is being made. */
  readonly outcome: PopupOutcome<WorktreeOrder> | { readonly kind: 'left_starting' }
}

export function typeInNewWorktree(state: NewWorktree, event: InputEvent, screen: Size): NewWorktreeStep {
  const chord = pressedChord(event)
  const starting = state.phase.kind === 'starting'
  if (chord === 'escape' || chord === 'ctrl+c') {
    return starting ? { state, outcome: { kind: 'left_starting' } } : cancelled(state)
  }
  if (starting) return stillOpen(state)
  if (event.kind === 'mouse') return stillOpen(clickInWorktreeForm(state, event, screen))
  if (chord === 'enter' || chord === 'ctrl+s') return submitWorktree(state)
  if (chord !== null && ['tab', 'shift+tab', 'up', 'down'].includes(chord)) {
    return stillOpen({ ...state, focus: state.focus === 'name' ? 'parent' : 'name' })
  }
  const field =
    (state.focus === 'parent' ? completeParent(state, chord) : null) ?? typeInField(state[state.focus], event)
  return stillOpen(field === null ? state : { ...state, [state.focus]: field, phase: { kind: 'editing' } })
}

function submitWorktree(state: NewWorktree): NewWorktreeStep {
  const tried = { ...state, attempted: true }
  const wrong = (['name', 'parent'] as const).find((field) => worktreeProblem(tried, field) !== null)
  if (wrong !== undefined) return stillOpen({ ...tried, focus: wrong, phase: { kind: 'editing' } })
  const order = { name: state.name.text, parent: state.parent.text }
  return submitted({ ...state, phase: { kind: 'starting', says: 'making the worktree' } }, order)
}

/** Right at the end of the text takes the completion that is shown. */
function completeParent({ parent, facts }: NewWorktree, chord: string | null): TextField | null {
  const rest = completionOf(parent.text, facts.branches ?? [])
  if (chord !== 'right' || rest === '' || parent.cursor < parent.text.length) return null
  return openTextField(parent.text + rest)
}

function clickInWorktreeForm(state: NewWorktree, event: MouseAction, screen: Size): NewWorktree {
  const rect = worktreeRect(state, screen)
  const row = worktreeRows(state, screen, false)[event.y - rect.y - 1]
  const inside = event.x > rect.x && event.x < rect.x + rect.width - 1
  if (event.action !== 'press' || event.button !== 'left' || !inside || row === undefined) return state
  const cell = Math.max(0, event.x - rect.x - 2 - LABEL_WIDTH)
  const width = rect.width - 4 - LABEL_WIDTH
  return { ...state, focus: row.field, [row.field]: clickInField(state[row.field], cell, width) }
}
