// Which row of a list comes first if a given row has to be visible. The list moves as little as possible, and leaves no
// room empty that could show something.

import {
  currentFile,
  currentPart,
  type DiffFocus,
  type DiffState,
  partsOf,
  shownContent,
} from './diff-state.ts'

export interface Listed {
  /** The row that has to be visible. */
  readonly at: number
  readonly length: number
  /** Rows that there is room for. */
  readonly height: number
}

/** `top` is the row that was first before. */
export function visibleTop(top: number, { at, length, height }: Listed): number {
  const least = Math.max(0, at - Math.max(1, height) + 1)
  const most = Math.max(0, Math.min(at, length - height))
  return Math.max(least, Math.min(top, most))
}

/** What each box lists, and where the person is in it. */
export function listed(state: DiffState, box: DiffFocus): Omit<Listed, 'height'> {
  switch (box) {
    case 'commits':
      return { at: currentPart(state), length: partsOf(state).length }
    case 'files':
      return { at: currentFile(state) ?? 0, length: shownContent(state)?.files.length ?? 0 }
    case 'hunks':
      return { at: state.cursor, length: state.flow.length }
  }
}
