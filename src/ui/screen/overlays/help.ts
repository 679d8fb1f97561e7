// The keys by where they apply, from the table as the person has bound it. Those that apply now come first. Typing
// searches.

import { openTextField, type TextField, typeInField } from '../edit/text-field.ts'
import { editingChord } from '../edit/typed-text.ts'
import type { InputEvent } from '../input/input-event.ts'
import type { Binding, BindingGroup } from '../keys/bindings.ts'
import { GROUPS } from '../keys/group-titles.ts'
import type { Size } from '../scene.ts'
import { helpRect, helpRows } from './help-layout.ts'
import { cancelled, type PopupStep, stillOpen } from './popup.ts'

export interface HelpFacts {
  readonly bindings: readonly Binding[]
  /** The groups that have the keyboard, nearest first. */
  readonly active: readonly BindingGroup[]
  readonly version: string
}

export interface Help {
  readonly facts: HelpFacts
  readonly field: TextField
  /** First line that is shown. */
  readonly top: number
}

export interface HelpSection {
  readonly group: BindingGroup
  /** Whether it applies where the person is now. */
  readonly here: boolean
  readonly bindings: readonly Binding[]
}

export const openHelp = (facts: HelpFacts): Help => ({ facts, field: openTextField(), top: 0 })

export function typeInHelp(state: Help, event: InputEvent, screen: Size): PopupStep<Help, never> {
  const chord = editingChord(event)
  const by = helpStep(event, chord, helpRows(helpRect(screen)))
  if (by !== null) return stillOpen({ ...state, top: clampTop(state, state.top + by, screen) })
  if (chord === 'ctrl+c') return cancelled(state)
  const searching = state.field.text !== ''
  if (chord === 'escape' && searching) return stillOpen({ ...state, field: openTextField(), top: 0 })
  if (chord === 'escape' || chord === 'enter' || (chord === '?' && !searching)) return cancelled(state)
  const field = typeInField(state.field, event)
  return stillOpen(field === null ? state : { ...state, field, top: 0 })
}

/** Keys with the text that was typed. Groups that apply now come first, the nearest before the others. */
export function helpSections({ facts: { bindings, active }, field }: Help): readonly HelpSection[] {
  const typed = field.text.trim().toLowerCase()
  const order = [...active, ...GROUPS.filter((group) => !active.includes(group))]
  return order
    .map((group) => ({
      group,
      here: active.includes(group),
      bindings: bindings.filter((binding) => binding.group === group && helpHolds(binding, typed)),
    }))
    .filter((section) => section.bindings.length > 0)
}

const helpHolds = ({ action, label, says, chords }: Binding, typed: string): boolean =>
  [action, label, says, ...chords].some((text) => text.toLowerCase().includes(typed))

/** A heading and a blank line for each section, and the line about reporting. */
export const countHelpLines = (state: Help): number =>
  helpSections(state).reduce((sum, section) => sum + section.bindings.length + 2, 0) + 1

const clampTop = (state: Help, top: number, screen: Size): number =>
  Math.max(0, Math.min(top, countHelpLines(state) - helpRows(helpRect(screen))))

function helpStep(event: InputEvent, chord: string | null, page: number): number | null {
  if (event.kind === 'mouse')
    return event.action === 'wheel_up' ? -3 : event.action === 'wheel_down' ? 3 : null
  const steps: Readonly<Record<string, number>> = { up: -1, down: 1, page_up: 1 - page, page_down: page - 1 }
  return chord !== null && Object.hasOwn(steps, chord) ? (steps[chord] ?? null) : null
}
