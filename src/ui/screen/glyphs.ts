// The signs that stand for states: one cell each, with ASCII for terminals that have no others.

import type { DisplayState } from '../../core/model/status.ts'
import type { Look } from './scene.ts'

type GlyphPair = readonly [glyph: string, ascii: string]

const STATES: Readonly<Record<DisplayState, GlyphPair>> = {
  starting: ['◌', '.'],
  working: ['▶', '>'],
  needs_input: ['?', '?'],
  ready_for_review: ['?', '?'],
  blocked: ['!', '!'],
  idle: ['○', 'o'],
  stalled: ['▷', '~'],
  ready: ['✓', '+'],
  failed: ['✗', 'x'],
  landed: ['◆', '='],
  discarded: ['·', '-'],
}

const OTHERS = {
  folded: ['▸', '+'],
  unfolded: ['▾', '-'],
  branch: ['├', '|'],
  last_branch: ['└', '`'],
  trunk: ['│', '|'],
  pinned: ['▪', '*'],
  minus: ['−', '-'],
  dot: ['·', '-'],
  enter: ['⏎', 'enter'],
  up: ['↑', '^'],
  down: ['↓', 'v'],
  broken: ['✗', 'x'],
  checkpoint: ['◷', '@'],
  archived: ['▪', '#'],
} as const satisfies Readonly<Record<string, GlyphPair>>

export type GlyphName = keyof typeof OTHERS

const SPINNER: readonly GlyphPair[] = [
  ['⠋', '|'],
  ['⠙', '/'],
  ['⠸', '-'],
  ['⠴', '\\'],
  ['⠦', '|'],
  ['⠇', '/'],
]

const pickGlyph = ([glyph, ascii]: GlyphPair, look: Pick<Look, 'ascii'>): string =>
  look.ascii ? ascii : glyph

/** Only a working agent's moves. */
export function stateGlyph(state: DisplayState, look: Pick<Look, 'ascii' | 'tick'>): string {
  if (state !== 'working') return pickGlyph(STATES[state], look)
  return pickGlyph(SPINNER[look.tick % SPINNER.length] ?? STATES.working, look)
}

/** The one that does not move: for counters. */
export const stillGlyph = (state: DisplayState, look: Pick<Look, 'ascii'>): string =>
  pickGlyph(STATES[state], look)

export const glyph = (name: GlyphName, look: Pick<Look, 'ascii'>): string => pickGlyph(OTHERS[name], look)
