// A patch as data: files, their hunks, and lines that are decoded only when they are looked at.

/** `note` is git's remark that a file does not end with a line break. It follows the line that it is about. */
export type LineKind = 'context' | 'added' | 'removed' | 'note'

export interface PatchLine {
  readonly kind: LineKind
  /** From 1; null where that side does not have the line. */
  readonly old: number | null
  readonly new: number | null
  /** Without its sign and its line feed. Untrusted; invalid UTF-8 is replaced. */
  readonly text: string
  /** The line is longer than what is worth showing. */
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
  /** What git has found above it, such as the first line of a function; often empty. */
  readonly heading: string
  /** How many lines it has, notes among them. */
  readonly length: number
  /** `at` is from 0 up to, and without, `length`. Decoded at each call. */
  line(at: number): PatchLine
  /** The line with this number, or the next one that there is; otherwise the last. */
  find(place: LineNumber): number
}

export interface PatchFile {
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  /** Its path now; for a deleted file, its path before. */
  readonly path: string
  readonly fromPath: string | null
  /** Octal; null if the patch does not name it. */
  readonly oldMode: string | null
  readonly newMode: string | null
  readonly binary: boolean
  readonly hunks: readonly PatchHunk[]
}
