// The mouse in the diff view.

import { innerRect, type Point, type Rect } from '../scene.ts'
import {
  chooseCommit,
  chooseFile,
  type DiffReply,
  moveInDiff,
  settleDiff,
  toggleFold,
} from './act-on-diff.ts'
import { rowAt } from './diff-flow.ts'
import { layOutDiff } from './diff-layout.ts'
import type { DiffFocus, DiffState } from './diff-state.ts'
import { listed, visibleTop } from './visible-top.ts'

export type Pointing = 'click' | 'wheel_up' | 'wheel_down'

/** Rows of the hunks that one notch of the wheel moves. */
const NOTCH = 3

/** `point` counts from the upper left corner of `rect`. */
export function pointDiff(
  state: DiffState,
  { point, deed, rect }: { readonly point: Point; readonly deed: Pointing; readonly rect: Rect },
): DiffReply {
  const size = { columns: rect.width, rows: rect.height }
  const hit = boxAt(state, point, size)
  if (hit === null) return { state, wants: null }
  const done = deed === 'click' ? click(state, hit) : turnWheel(state, hit, deed === 'wheel_up' ? -1 : 1)
  return settleDiff(done, size)
}

interface DiffHit {
  readonly box: DiffFocus
  /** Row inside its border, from 0; negative on the upper border. */
  readonly row: number
  readonly height: number
}

function boxAt(state: DiffState, { x, y }: Point, size: { columns: number; rows: number }): DiffHit | null {
  const layout = layOutDiff(state, { x: 0, y: 0, width: size.columns, height: size.rows })
  for (const box of ['hunks', 'files', 'commits'] as const) {
    const rect = layout[box]
    if (rect === null || x < rect.x || y < rect.y || x >= rect.x + rect.width || y >= rect.y + rect.height) {
      continue
    }
    return { box, row: y - rect.y - 1, height: innerRect(rect).height }
  }
  return null
}

function click(state: DiffState, { box, row, height }: DiffHit): DiffState | DiffReply {
  const focused = { ...state, focus: box }
  if (row < 0 || row >= height) return focused
  const at = visibleTop(state.tops[box], { ...listed(state, box), height }) + row
  if (box === 'commits') return chooseCommit(focused, at)
  if (box === 'files') return chooseFile(focused, at)
  const found = rowAt(state.flow, at)
  if (found === null) return focused
  const again = found.kind === 'file' && at === state.cursor && state.focus === 'hunks'
  return again ? toggleFold(focused) : { ...focused, cursor: at }
}

/** Over the hunks the rows move, and take the cursor along only at the edge. Over a list the selection moves. */
function turnWheel(state: DiffState, { box, height }: DiffHit, direction: 1 | -1): DiffState | DiffReply {
  if (box !== 'hunks') return moveInDiff({ ...state, focus: box }, direction)
  const most = Math.max(0, state.flow.length - height)
  const hunks = Math.max(0, Math.min(state.tops.hunks + direction * NOTCH, most))
  const cursor = Math.max(hunks, Math.min(state.cursor, hunks + height - 1))
  return { ...state, cursor, tops: { ...state.tops, hunks } }
}
