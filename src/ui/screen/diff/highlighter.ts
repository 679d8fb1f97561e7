// Gives lines of a hunk their colours. It is loaded after the diff itself; until then lines have none.

import type { Span } from '../../text/line.ts'
import type { PatchHunk } from './patch-file.ts'

/** The line's text in parts; null if it has no colours. Never throws, and remembers what it has coloured. */
export type Highlighter = (path: string, hunk: PatchHunk, at: number) => readonly Span[] | null

/** Loads the grammars, which no other part of the program needs. */
export async function createHighlighter(): Promise<Highlighter> {
  const { highlightBlocks } = await import('./highlight-blocks.ts')
  return highlightBlocks()
}
