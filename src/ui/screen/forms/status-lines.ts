// The last lines of a form: the keys, or how the start goes, or why it failed.

import { type Line, span } from '../../text/line.ts'
import { wrapLine } from '../../text/wrap.ts'
import { type Hint, hintLine } from '../overlays/popup.ts'
import type { Phase } from './new-agent.ts'

/** Longer errors are cut: the hint and the log say more. */
const MOST = 4

export function statusLines(phase: Phase, hints: readonly Hint[], width: number): readonly Line[] {
  switch (phase.kind) {
    case 'starting':
      return [[span(`${phase.says}…`, 'working'), span('  Esc leaves; it goes on', 'dim')]]
    case 'failed':
      return [
        ...wrapLine(span(phase.message, 'failed'), width).slice(0, MOST - 1),
        ...wrapLine(span(phase.hint, 'dim'), width),
      ].slice(0, MOST)
    case 'editing':
      return [hintLine(hints, width)]
  }
}
