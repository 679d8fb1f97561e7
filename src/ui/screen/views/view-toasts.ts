// What happened, at the lower right above the footer: newest below. At most three; the keyboard stays where it is.

import { lineWidth, shortenLine } from '../../text/fit-line.ts'
import { type Line, span } from '../../text/line.ts'
import type { Meaning } from '../../text/theme.ts'
import type { SceneBox } from '../scene.ts'
import type { DashboardState, Toast } from '../state/dashboard-state.ts'
import { shownChord } from '../state/naming.ts'

const MOST = 3
const WIDEST = 72

const LOOKS: Readonly<Record<Toast['level'], readonly [title: string, as: Meaning]>> = {
  done: ['done', 'ready'],
  note: ['note', 'accent'],
  failed: ['failed', 'failed'],
}

export function viewToasts(state: DashboardState): SceneBox[] {
  const { toasts, size } = state
  const latest = toasts.findLast(({ offers }) => offers !== undefined)
  const boxes: SceneBox[] = []
  let bottom = size.rows - 2
  for (const toast of toasts.slice(-MOST).toReversed()) {
    const widest = Math.min(WIDEST, size.columns - 6)
    const said = toast === latest ? [...toast.lines, ...wayBack(state, toast)] : toast.lines
    const lines = said.map((line): Line => [' ', ...shortenLine(line, widest - 1)])
    const [title, as] = LOOKS[toast.level]
    const width = Math.max(...lines.map(lineWidth), title.length + 4) + 3
    const height = lines.length + 2
    bottom -= height
    if (bottom < 0) break
    boxes.push({
      key: `toast:${toast.id}`,
      rect: { x: size.columns - width - 2, y: bottom, width, height },
      border: { title: span(title, as), focused: false },
      body: { kind: 'rows', rows: lines.map((line) => ({ line })) },
    })
  }
  return boxes
}

/** Of the latest alone: the key takes back what was done last. */
function wayBack(state: DashboardState, { offers }: Toast): Line[] {
  const chord = offers === undefined ? undefined : shownChord(state, `anywhere.${offers}`)
  return chord === undefined ? [] : [[span(chord, 'key'), span(` ${offers}`, 'dim')]]
}
