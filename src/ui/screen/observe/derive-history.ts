// What undo and redo would do, in words, before anybody presses a key.

import type { UndoHistory } from './snapshot.ts'

/** `u would take back: landed b7c9 (claude) onto my-feature, 2 commits`. null: nothing to take back. */
export const describeUndo = ({ undo }: UndoHistory): string | null =>
  undo === null ? null : `u would take back: ${undo.description}`

export const describeRedo = ({ redo }: UndoHistory): string | null =>
  redo === null ? null : `U would do again: ${redo.description}`
