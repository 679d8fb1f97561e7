// The dashboard in memory: keys go in, and a picture comes out. What it asks for is noted instead of done.

import { chordOf, type InputEvent, type KeyPress } from '../../../src/ui/screen/input/input-event.ts'
import { BINDINGS } from '../../../src/ui/screen/keys/bindings.ts'
import {
  EMPTY_SNAPSHOT,
  type ObservedInvocation,
  type Snapshot,
  UNMEASURED,
} from '../../../src/ui/screen/observe/snapshot.ts'
import type { Size } from '../../../src/ui/screen/scene.ts'
import { beginState, type DashboardState } from '../../../src/ui/screen/state/dashboard-state.ts'
import type { Command, Message } from '../../../src/ui/screen/state/message.ts'
import { update } from '../../../src/ui/screen/state/update.ts'
import { viewDashboard } from '../../../src/ui/screen/views/view-dashboard.ts'
import { surveyedInvocation } from '../records/records.ts'
import { drawBoxes } from './drawing.ts'

export const NOW = new Date('2026-01-28T12:08:00.000Z')

export interface Screen {
  readonly state: DashboardState
  /** Everything that was asked for, in order. */
  readonly commands: readonly Command[]
  /** `chords` are written as in the table of bindings. */
  press(...chords: string[]): void
  type(text: string): void
  input(event: InputEvent): void
  tell(message: Message): void
  observe(snapshot: Partial<Snapshot>): void
  draw(): string[]
}

export function openScreen(snapshot: Partial<Snapshot> = {}, size: Size = { columns: 80, rows: 24 }): Screen {
  let state = beginState({
    size,
    now: NOW,
    repository: 'greeter',
    snapshot: { ...EMPTY_SNAPSHOT, taken_at: NOW },
    bindings: BINDINGS,
    ascii: false,
    version: '0.1.0',
    default_runner: 'shell',
  })
  const commands: Command[] = []
  const tell = (message: Message): void => {
    const step = update(state, message)
    state = step.state
    commands.push(...step.commands)
  }
  const observe = (change: Partial<Snapshot>): void =>
    tell({ kind: 'snapshot', snapshot: { ...state.snapshot, ...change } })
  observe(snapshot)
  return {
    get state() {
      return state
    },
    commands,
    tell,
    observe,
    input: (event) => tell({ kind: 'input', event }),
    press: (...chords) => {
      for (const chord of chords) tell({ kind: 'input', event: keyOf(chord) })
    },
    type: (text) => {
      for (const char of text) tell({ kind: 'input', event: keyOf(char === ' ' ? 'space' : char) })
    },
    draw: () => {
      const scene = viewDashboard(state)
      return drawBoxes(scene.boxes, scene.size)
    },
  }
}

/** Throws if no key has this chord. */
export function keyOf(chord: string): KeyPress {
  const parts = chord === '+' ? ['+'] : chord.split(/\+(?=.)/)
  const name = parts.at(-1) ?? ''
  const held = new Set(parts.slice(0, -1))
  const plain = !held.has('ctrl') && !held.has('alt')
  const text = name === 'space' ? ' ' : name
  const key: KeyPress = {
    kind: 'key',
    name,
    text: plain && text.length === 1 ? text : null,
    ctrl: held.has('ctrl'),
    alt: held.has('alt'),
    shift: held.has('shift'),
    meta: held.has('meta'),
    event: 'press',
  }
  if (chordOf(key) !== chord) throw new Error(`no key has the chord ${chord}`)
  return key
}

/** As the observer tells of an invocation before it was measured. */
export const observed = (...given: Parameters<typeof surveyedInvocation>): ObservedInvocation => ({
  ...surveyedInvocation(...given),
  diff: UNMEASURED,
  forecast: UNMEASURED,
})
