// What gives lines of a hunk their colours. It comes later than the diff itself: lines are plain until then.

import type { Span } from '../../text/line.ts'
import type { PatchHunk } from './patch-file.ts'

/** The text of the line in parts; null where it has no colours. Never throws, and remembers what it has coloured. */
export type Highlighter = (path: string, hunk: PatchHunk, at: number) => readonly Span[] | null

/** Loads the grammars, which no other part of the program needs. */
export async function createHighlighter(): Promise<Highlighter> {
  const { highlightBlocks } = await import('./highlight-blocks.ts')
  return highlightBlocks()
}
