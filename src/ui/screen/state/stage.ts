// Which invocations the stage shows, and as what. Pinned ones keep their slots; a free slot shows what is selected.

import { type InvocationRecord, isActive } from '../../../core/model/invocation.ts'
import { LEAST_SIZE, layOut, type ScreenLayout, type Slot } from '../layout.ts'
import type { ObservedInvocation } from '../observe/snapshot.ts'
import { innerRect, type Rect, type Size } from '../scene.ts'
import type { DashboardState, Face } from './dashboard-state.ts'
import { findRow, selectedRow } from './selection.ts'

interface Arrangement {
  readonly ids: readonly string[]
  readonly layout: ScreenLayout
}

/** Ids of the invocations that are on the stage, slot by slot. Empty where it shows a worktree, or how to begin. */
export const stagedIds = (state: DashboardState): readonly string[] => arrange(state).ids

export const currentLayout = (state: DashboardState): ScreenLayout => arrange(state).layout

let lastArranged: { readonly state: DashboardState; readonly arrangement: Arrangement } | null = null

/** The same as long as the state is the same: each key asks where its pane stands. */
function arrange(state: DashboardState): Arrangement {
  if (lastArranged?.state === state) return lastArranged.arrangement
  const ids = chooseIds(state)
  const stage = { count: ids.length, zoomed: state.stage.zoomed && ids.length > 0 }
  const arrangement = { ids, layout: layOut(shownSize(state), stage) }
  lastArranged = { state, arrangement }
  return arrangement
}

function chooseIds(state: DashboardState): readonly string[] {
  const { stage } = state
  const selected = selectedRow(state)?.record.invocation_id ?? null
  const pinned = stage.pinned.filter((id) => findRow(state, id) !== null)
  const wanted = stage.active ?? selected
  const ids = pinned.slice(-stage.count)
  if (wanted !== null && !ids.includes(wanted)) {
    if (ids.length < stage.count) ids.push(wanted)
    else if (stage.active !== null || stage.count === 1) ids[ids.length - 1] = wanted
  }
  if (!stage.zoomed) return ids
  const zoomed = ids.find((id) => id === wanted) ?? ids[0]
  return zoomed === undefined ? [] : [zoomed]
}

/** On a screen that is too small to show anything, terminals are not squeezed for what nobody sees. */
const shownSize = ({ size: { columns, rows } }: DashboardState): Size => ({
  columns: Math.max(columns, LEAST_SIZE.columns),
  rows: Math.max(rows, LEAST_SIZE.rows),
})

/** A headed run shows its terminal, also when it has ended; a headless one its log. */
export const usualFace = ({ record }: ObservedInvocation): Face =>
  record.mode === 'headed' ? 'terminal' : 'log'

export const faceOf = (state: DashboardState, row: ObservedInvocation): Face =>
  state.stage.faces[row.record.invocation_id] ?? usualFace(row)

/** Its list of checkpoints has made way for the diff of one. */
export const isComparing = (state: DashboardState, row: ObservedInvocation): boolean =>
  faceOf(state, row) === 'checkpoints' &&
  (state.timelines[row.record.invocation_id]?.comparison ?? null) !== null

/** The slot of a staged invocation; null while it is not on the stage. */
export const slotOf = (state: DashboardState, id: string): Slot | null =>
  currentLayout(state).slots[stagedIds(state).indexOf(id)] ?? null

/** Where the inside of a staged invocation's slot stands; null while it is not on the stage. */
export function placeOf(state: DashboardState, id: string): Rect | null {
  const slot = slotOf(state, id)
  return slot === null ? null : innerRect(slot.rect)
}

/** What a terminal would have that is alone on the stage. */
export function paneSize(state: DashboardState): Size {
  const size = shownSize(state)
  const [slot] = layOut(size, { count: 1, zoomed: false }).slots
  const { width, height } = innerRect(slot?.rect ?? { x: 0, y: 0, width: size.columns, height: size.rows })
  return { columns: Math.max(2, width), rows: Math.max(1, height) }
}

export interface StagedPane {
  readonly id: string
  readonly size: Size
  /** Whether it can be joined already, or has ended. Until then there is nothing to show: a recording would be half of one. */
  readonly host: 'awaited' | 'there' | 'gone'
}

/** The terminals that are on the stage, with the size that each has to have. */
export function stagedPanes(state: DashboardState): StagedPane[] {
  const { slots } = currentLayout(state)
  return stagedIds(state).flatMap((id, index) => {
    const row = findRow(state, id)
    const slot = slots[index]
    if (row === null || slot === undefined || faceOf(state, row) !== 'terminal') return []
    const { width, height } = innerRect(slot.rect)
    const size = { columns: Math.max(2, width), rows: Math.max(1, height) }
    return [{ id, size, host: hostOf(row.record) }]
  })
}

function hostOf(record: InvocationRecord): StagedPane['host'] {
  if (!isActive(record)) return 'gone'
  return record.host === null ? 'awaited' : 'there'
}

/** The logs that are on the stage. */
export const stagedLogs = (state: DashboardState): string[] =>
  stagedIds(state).filter((id) => {
    const row = findRow(state, id)
    return row !== null && faceOf(state, row) === 'log'
  })
