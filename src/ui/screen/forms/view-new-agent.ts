// The form of an agent on the screen.

import { span } from '../../text/line.ts'
import { viewEditor } from '../edit/view-editor.ts'
import { showChord } from '../keys/chord-names.ts'
import { airy, fitBoxes, type Hint, type PopupView, popupBox, textWidth } from '../overlays/popup.ts'
import type { Look, Point, Size } from '../scene.ts'
import { choicesOf, problemOf } from './agent-fields.ts'
import { agentRows } from './agent-rows.ts'
import { modeOf, type NewAgent } from './new-agent.ts'
import { layOutNewAgent, type NewAgentLayout } from './new-agent-layout.ts'
import { statusLines } from './status-lines.ts'

export function viewNewAgent(state: NewAgent, screen: Size, look: Look): PopupView {
  const layout = layOutNewAgent(state, screen)
  const { fields, prompt, status, editor, top } = layout
  const width = textWidth(fields)
  const rows = agentRows(state, { width, ascii: look.ascii }).slice(top, top + fields.height - 2)
  const more = layout.rows.length > rows.length ? `${top + rows.length}/${layout.rows.length}` : ''
  const text = viewEditor(
    state.prompt,
    { columns: editor.width, rows: editor.height },
    { ascii: look.ascii, placeholder: promptPlaceholder(state) },
  )
  const missing = problemOf(state, 'prompt')
  return {
    boxes: fitBoxes(
      [
        popupBox({
          key: 'new-agent',
          rect: fields,
          title: state.facts.origin?.title ?? 'New agent',
          note: more,
          rows: rows.map(({ line }) => ({ line: airy(line) })),
        }),
        popupBox({
          key: 'new-agent.prompt',
          rect: prompt,
          title: 'Prompt',
          note: missing === null ? scrollNote(text) : span(missing, 'failed'),
          joinsAbove: true,
          rows: text.lines.map((line) => ({ line: airy(line) })),
        }),
        popupBox({
          key: 'new-agent.status',
          rect: status,
          title: '',
          joinsAbove: true,
          rows: statusLines(state.phase, hintsOf(state, look), width).map((line) => ({ line: airy(line) })),
        }),
      ],
      screen,
    ),
    cursor: state.phase.kind === 'starting' ? null : formCursor(state, layout, text.cursor),
  }
}

function formCursor(
  state: NewAgent,
  { fields, editor, rows, top }: NewAgentLayout,
  text: Point,
): Point | null {
  if (state.focus === 'prompt') return { x: editor.x + text.x, y: editor.y + text.y }
  const at = rows.findIndex(({ field, cursor }) => field === state.focus && cursor !== undefined)
  const cursor = rows[at]?.cursor
  return cursor === undefined ? null : { x: fields.x + 2 + cursor, y: fields.y + 1 + at - top }
}

const promptPlaceholder = (state: NewAgent): string =>
  modeOf(state) === 'headless' ? 'what it is to do' : 'what it is to do; empty starts it without a word'

const scrollNote = ({ above, below }: { readonly above: boolean; readonly below: boolean }): string =>
  above && below ? 'more above and below' : above ? 'more above' : below ? 'more below' : ''

function hintsOf(state: NewAgent, look: Look): readonly Hint[] {
  const start = { key: state.focus === 'prompt' ? 'Ctrl-S' : showChord('enter', look), does: 'start' }
  const turns = choicesOf(state, state.focus).length > 1
  return [
    start,
    ...(turns ? [{ key: look.ascii ? 'Left/Right' : '←→', does: 'choose' }] : []),
    { key: 'Tab', does: 'next field' },
    { key: 'Ctrl-E', does: 'in your editor' },
    { key: 'Esc', does: 'leave' },
  ]
}
