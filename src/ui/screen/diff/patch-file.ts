// A patch as data: files, their hunks, and lines that are decoded only when they are looked at.

/** `note` is git's remark that a file does not end in a line break; it stands behind the line that it is about. */
export type LineKind = 'context' | 'added' | 'removed' | 'note'

export interface PatchLine {
  readonly kind: LineKind
  /** From 1; null where that side does not have the line. */
  readonly old: number | null
  readonly new: number | null
  /** Without its sign and its line feed. Untrusted; invalid UTF-8 is replaced. */
  readonly text: string
  /** The line goes on beyond what is worth showing. */
  readonly cut: boolean
}

export interface LineNumber {
  readonly side: 'old' | 'new'
  readonly number: number
}

export interface PatchHunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** What git found to stand above it, a function's head for example; often empty. */
  readonly heading: string
  /** How many lines it has, notes among them. */
  readonly length: number
  /** `at` is from 0 and below `length`. Decoded at each call. */
  line(at: number): PatchLine
  /** Which line has this number, or the next one that is there; the last where none is. */
  find(place: LineNumber): number
}

export interface PatchFile {
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  /** Where it is now; where it was, for a deleted one. */
  readonly path: string
  readonly fromPath: string | null
  /** Octal; null where the patch names none. */
  readonly oldMode: string | null
  readonly newMode: string | null
  readonly binary: boolean
  readonly hunks: readonly PatchHunk[]
}
