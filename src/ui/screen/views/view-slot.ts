// One slot of the stage: a terminal, or another face of its invocation, with who it is and how it is on the border.

import { shortId } from '../../../core/model/ids.ts'
import { isActive } from '../../../core/model/invocation.ts'
import { type Line, span } from '../../text/line.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import { glyph } from '../glyphs.ts'
import type { Slot } from '../layout.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import { type Rect, type Row, rows, type SceneBox } from '../scene.ts'
import type { DashboardState, Face, PaneFacts } from '../state/dashboard-state.ts'
import { viewFace } from '../state/faces.ts'
import { faceOf } from '../state/stage.ts'
import { lookOf } from './look-of.ts'

/** The invocation that stands in a slot, as the face that it shows. */
export function viewSlot(
  state: DashboardState,
  row: ObservedInvocation,
  { rect, joinsAbove }: Slot,
): readonly SceneBox[] {
  const id = row.record.invocation_id
  const focused = state.stage.active === id
  const face = faceOf(state, row)
  const faced = face === 'terminal' ? [] : viewFace(state, { id, rect }, lookOf(state, focused))
  if (faced.length > 0) return joined(faced, rect, joinsAbove)
  const border = { title: slotTitle(state, row), note: slotNote(state, row), focused, joinsAbove }
  const pane = state.panes[id]
  if (face === 'terminal' && pane !== undefined && pane.state !== 'joining' && pane.state !== 'failed') {
    return [{ key: `pane:${id}`, rect, border, body: { kind: 'pane', pane: id } }]
  }
  return [{ key: `waiting:${id}`, rect, border, body: { kind: 'rows', rows: waitingRows(face, pane) } }]
}

function waitingRows(face: Face, pane: PaneFacts | undefined): Row[] {
  const failure = face === 'terminal' ? (pane?.failure ?? null) : null
  if (failure !== null) return rows('', [' ', span(failure, 'failed')])
  return rows('', [' ', span(face === 'terminal' ? 'joining its terminal…' : 'reading…', 'dim')])
}

/** Those that stand at the top share the border of what is above. */
const joined = (boxes: readonly SceneBox[], rect: Rect, joinsAbove: boolean): readonly SceneBox[] =>
  joinsAbove
    ? boxes.map((box) =>
        box.rect.y === rect.y && box.border !== null
          ? { ...box, border: { ...box.border, joinsAbove } }
          : box,
      )
    : boxes

/** `b7c9 claude · my-feature · working`, then what its program calls itself. */
function slotTitle(state: DashboardState, row: ObservedInvocation): Line {
  const { record, display, worktree_name } = row
  const look = lookOf(state, false)
  const dot = span(` ${glyph('dot', look)} `, 'dim')
  const { words, meaning } = STATE_LOOKS[display]
  const name = record.invocation_name === '' ? record.runner : record.invocation_name
  const title = state.panes[record.invocation_id]?.title ?? ''
  return [
    span(shortId(record.invocation_id), 'accent'),
    ` ${name}`,
    dot,
    worktree_name,
    dot,
    span(words, meaning),
    ...(title === '' ? [] : [dot, span(title, 'dim')]),
  ]
}

/** How far it is scrolled back, or how it ended. */
function slotNote(state: DashboardState, { record }: ObservedInvocation): Line {
  const pane = state.panes[record.invocation_id]
  const found = state.found[record.invocation_id]
  if (found !== undefined && found.text !== '') {
    const { place } = found
    return span(place === null ? `${found.text}: not found` : `${place.at}/${place.of}`, 'needs_you')
  }
  if (pane !== undefined && pane.scrolled > 0) {
    return span(`${glyph('up', lookOf(state, false))} ${pane.scrolled} lines`, 'needs_you')
  }
  if (isActive(record)) return ''
  if (record.exit_signal !== null) return span(`ended by ${record.exit_signal}`, 'failed')
  if (record.exit_code === 0) return span('ended', 'dim')
  return span(record.exit_code === null ? 'ended' : `exit ${record.exit_code}`, 'failed')
}
