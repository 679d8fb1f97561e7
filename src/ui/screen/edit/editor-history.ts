// Undo and redo of an editor, as changes of ranges of lines, so that a key in a megabyte of text copies none of it.

/** Where the cursor stands: a line from 0, and an offset in it in code units, between two grapheme clusters. */
export interface TextPlace {
  readonly line: number
  readonly offset: number
}

export interface Change {
  /** Keys of the same kind, one after another, become one step of undo. */
  readonly kind: 'type' | 'erase' | 'other'
  /** The first line that differs. */
  readonly at: number
  readonly removed: readonly string[]
  readonly inserted: readonly string[]
  readonly before: TextPlace
  readonly after: TextPlace
}

export interface EditorHistory {
  /** Oldest first. */
  readonly past: readonly Change[]
  /** The next to do again is last. */
  readonly future: readonly Change[]
  /** Whether the last change may still grow. */
  readonly open: boolean
}

export const NO_HISTORY: EditorHistory = { past: [], future: [], open: false }

const STEPS = 500

export function noteChange(history: EditorHistory, change: Change): EditorHistory {
  const last = history.past.at(-1)
  const grown = last !== undefined && history.open ? growChange(last, change) : null
  const past =
    grown === null ? [...history.past, change].slice(-STEPS) : [...history.past.slice(0, -1), grown]
  return { past, future: [], open: change.kind !== 'other' }
}

export const applyChange = (lines: readonly string[], change: Change): readonly string[] => [
  ...lines.slice(0, change.at),
  ...change.inserted,
  ...lines.slice(change.at + change.removed.length),
]

export const invertChange = (change: Change): Change => ({
  ...change,
  removed: change.inserted,
  inserted: change.removed,
  before: change.after,
  after: change.before,
})

function growChange(last: Change, next: Change): Change | null {
  const alike = last.kind === next.kind && last.kind !== 'other'
  const oneLine = last.inserted.length === 1 && next.removed.length === 1 && next.inserted.length === 1
  if (!alike || !oneLine || last.at !== next.at) return null
  return { ...last, inserted: next.inserted, after: next.after }
}
