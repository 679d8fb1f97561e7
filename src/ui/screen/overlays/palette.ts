// Every action by its name: type part of it, see its key, press Enter. An action that is not possible now says why.

import { go } from 'fuzzysort'
import type { Range } from '../../text/spans.ts'
import { openTextField, type TextField, typeInField } from '../edit/text-field.ts'
import { editingChord } from '../edit/typed-text.ts'
import type { InputEvent, MouseAction } from '../input/input-event.ts'
import type { Action, Binding } from '../keys/bindings.ts'
import type { Size } from '../scene.ts'
import { listRows, paletteRect } from './palette-layout.ts'
import { cancelled, type PopupStep, scrollTo, stillOpen, submitted } from './popup.ts'

export interface PaletteEntry {
  readonly action: Action
  readonly label: string
  readonly says: string
  /** Empty where it has no key. */
  readonly chord: string
  /** Why it is not possible now; null if it is. */
  readonly whyNot: string | null
}

export interface PaletteMatch {
  readonly entry: PaletteEntry
  /** What the search found in the label, and in the description. */
  readonly inLabel: readonly Range[]
  readonly inSays: readonly Range[]
}

export interface Palette {
  readonly field: TextField
  /** The one used last comes first, then the order of the table. */
  readonly entries: readonly PaletteEntry[]
  readonly matches: readonly PaletteMatch[]
  readonly selected: number
  readonly top: number
  /** Why the chosen action is not possible; empty after the next key. */
  readonly refusal: string
}

export interface PaletteFacts {
  readonly bindings: readonly Binding[]
  readonly whyNot: (action: Action) => string | null
  /** The last one first. */
  readonly recent: readonly string[]
}

export function openPalette({ bindings, whyNot, recent }: PaletteFacts): Palette {
  const rank = (action: Action): number => (recent.includes(action) ? recent.indexOf(action) : recent.length)
  const entries = bindings
    .filter(({ action }) => action !== 'anywhere.palette')
    .map(({ action, label, says, chords: [chord = ''] }) => ({
      action,
      label,
      says,
      chord,
      whyNot: whyNot(action),
    }))
    .toSorted((one, other) => rank(one.action) - rank(other.action))
  const matches = findEntries(entries, '')
  return { field: openTextField(), entries, matches, selected: 0, top: 0, refusal: '' }
}

export function typeInPalette(state: Palette, event: InputEvent, screen: Size): PopupStep<Palette, Action> {
  if (event.kind === 'mouse') return clickInPalette(state, event, screen)
  const chord = editingChord(event)
  if (chord === null && event.kind !== 'paste') return stillOpen(state)
  if (chord === 'escape' || chord === 'ctrl+c') return cancelled(state)
  if (chord === 'enter') return chooseEntry(state)
  const step = chord === null ? null : entryStep(chord, listRows(paletteRect(state, screen)))
  if (step !== null) return stillOpen(selectEntry(state, state.selected + step, screen))
  const field = typeInField(state.field, event)
  return stillOpen(field === null ? state : searchEntries(state, field))
}

function clickInPalette(state: Palette, event: MouseAction, screen: Size): PopupStep<Palette, Action> {
  if (event.action === 'wheel_up') return stillOpen(selectEntry(state, state.selected - 1, screen))
  if (event.action === 'wheel_down') return stillOpen(selectEntry(state, state.selected + 1, screen))
  const rect = paletteRect(state, screen)
  const row = event.y - rect.y - 2
  const inside = event.x > rect.x && event.x < rect.x + rect.width - 1 && row >= 0 && row < listRows(rect)
  if (event.action !== 'press' || event.button !== 'left' || !inside) return stillOpen(state)
  return state.top + row < state.matches.length
    ? chooseEntry({ ...state, selected: state.top + row })
    : stillOpen(state)
}

function entryStep(chord: string, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    'ctrl+p': -1,
    down: 1,
    'ctrl+n': 1,
    tab: 1,
    page_up: -page,
    page_down: page,
  }
  return Object.hasOwn(steps, chord) ? (steps[chord] ?? null) : null
}

function chooseEntry(state: Palette): PopupStep<Palette, Action> {
  const entry = state.matches[state.selected]?.entry
  if (entry === undefined) return stillOpen(state)
  return entry.whyNot === null
    ? submitted(state, entry.action)
    : stillOpen({ ...state, refusal: entry.whyNot })
}

function selectEntry(state: Palette, wanted: number, screen: Size): Palette {
  const count = state.matches.length
  const selected = Math.max(0, Math.min(wanted, count - 1))
  const top = scrollTo(state.top, selected, { count, height: listRows(paletteRect(state, screen)) })
  return { ...state, selected, top, refusal: '' }
}

function searchEntries(state: Palette, field: TextField): Palette {
  if (field.text === state.field.text) return { ...state, field }
  return {
    ...state,
    field,
    matches: findEntries(state.entries, field.text.trim()),
    selected: 0,
    top: 0,
    refusal: '',
  }
}

/** A match in a label comes before one in a description, and what is possible before what is not. */
function findEntries(entries: readonly PaletteEntry[], query: string): readonly PaletteMatch[] {
  if (query === '') return entries.map((entry) => ({ entry, inLabel: [], inSays: [] }))
  const found = go(query, entries, {
    keys: ['label', 'says', 'action'],
    limit: 0,
    threshold: 0.2,
    scoreFn: (result) =>
      result.score * (0.7 + 0.3 * (result[0]?.score ?? 0)) * (result.obj.whyNot === null ? 1 : 0.9),
  })
  return found.map((result) => ({
    entry: result.obj,
    inLabel: rangesOf(result[0]?.indexes ?? []),
    inSays: rangesOf(result[1]?.indexes ?? []),
  }))
}

/** Indexes as ranges; neighbours are joined. */
function rangesOf(indexes: readonly number[]): Range[] {
  const ranges: Range[] = []
  for (const at of indexes.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last?.end === at) ranges.splice(-1, 1, { start: last.start, end: at + 1 })
    else ranges.push({ start: at, end: at + 1 })
  }
  return ranges
}
