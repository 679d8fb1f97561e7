// Where the parts of the form of an agent are: fields, prompt and last lines, in one frame with lines between them.

import { centre, scrollTo, textWidth } from '../overlays/popup.ts'
import type { Rect, Size } from '../scene.ts'
import { type AgentRow, agentRows } from './agent-rows.ts'
import type { NewAgent } from './new-agent.ts'
import { statusLines } from './status-lines.ts'

export interface NewAgentLayout {
  readonly fields: Rect
  readonly prompt: Rect
  readonly status: Rect
  /** All of them. */
  readonly rows: readonly AgentRow[]
  /** The first that is shown. */
  readonly top: number
  /** The editor's place on the screen. */
  readonly editor: Rect
}

const WIDEST = 88
/** Rows of the prompt: as many as there is room for, between these two limits. */
const MOST_PROMPT = 12
const LEAST_PROMPT = 3
/** All fields with a few messages, so that the form stays in place while messages come and go. */
const USUAL_ROWS = 10
/** Lines that the frame takes. */
const LINES = 4

export function layOutNewAgent(state: NewAgent, screen: Size): NewAgentLayout {
  const width = textWidth(centre(screen, { columns: WIDEST, rows: 1 }))
  const rows = agentRows(state, { width, ascii: false })
  const statusRows = statusLines(state.phase, [], width).length
  const whole = centre(screen, {
    columns: WIDEST,
    rows: Math.max(USUAL_ROWS, rows.length) + MOST_PROMPT + statusRows + LINES,
  })
  const room = Math.max(2, whole.height - LINES - statusRows)
  const promptRows = Math.max(1, Math.min(MOST_PROMPT, Math.max(LEAST_PROMPT, room - rows.length), room - 1))
  const fieldRows = Math.max(1, room - promptRows)
  const fields = { ...whole, height: fieldRows + 2 }
  const prompt = { ...whole, y: fields.y + fields.height - 1, height: promptRows + 2 }
  const status = { ...whole, y: prompt.y + prompt.height - 1, height: statusRows + 2 }
  return {
    fields,
    prompt,
    status,
    rows,
    top: topOf(state, rows, fieldRows),
    editor: { x: prompt.x + 2, y: prompt.y + 1, width: Math.max(2, prompt.width - 3), height: promptRows },
  }
}

/** Keeps the focused field visible, with its messages if they fit. */
function topOf(state: NewAgent, rows: readonly AgentRow[], height: number): number {
  const first = rows.findIndex(({ field }) => field === state.focus)
  if (first === -1) return Math.max(0, rows.length - height)
  const last = rows.findLastIndex(({ field }) => field === state.focus)
  const place = { count: rows.length, height }
  return scrollTo(scrollTo(0, last, place), first, place)
}
