// The visible rows of the hunks' box, and no others.

import { type Line, type Span, span } from '../../text/line.ts'
import { glyph } from '../glyphs.ts'
import { innerRect, type Look, type Rect, type Row } from '../scene.ts'
import { type CodePlace, codeRow } from './code-line.ts'
import type { DiffContent, DiffFile } from './diff-content.ts'
import { type FlowRow, rowAt } from './diff-flow.ts'
import { chordFor, type DiffState } from './diff-state.ts'
import { fileLine } from './file-line.ts'
import type { PatchHunk } from './patch-file.ts'
import { listed, visibleTop } from './visible-top.ts'

export interface HunksView {
  readonly state: DiffState
  readonly content: DiffContent
  readonly look: Look
  /** Cells inside the border. */
  readonly width: number
}

export function viewHunks(
  state: DiffState,
  content: DiffContent,
  { rect, look }: { rect: Rect; look: Look },
): Row[] {
  const { width, height } = innerRect(rect)
  const top = visibleTop(state.tops.hunks, { ...listed(state, 'hunks'), height })
  const view = { state, content, look, width }
  const shown: Row[] = []
  for (let at = top; at < top + height; at += 1) {
    const found = rowAt(state.flow, at)
    if (found === null) break
    const row = viewRow(found, view)
    const here = at === state.cursor && state.focus === 'hunks'
    shown.push(here ? { ...row, bar: look.focused ? 'selected' : 'unfocused' } : row)
  }
  return shown
}

function viewRow(row: FlowRow, view: HunksView): Row {
  if (row.kind === 'missing') return { line: missingLine(row.what) }
  const file = view.content.files[row.file]
  if (file === undefined || row.kind === 'gap') return { line: '' }
  switch (row.kind) {
    case 'file': {
      const lead = `${glyph(row.folded ? 'folded' : 'unfolded', view.look)} `
      return { line: fileLine(file.change, { width: view.width, lead, as: 'strong' }, view.look) }
    }
    case 'remark':
      return { line: remarkLine(row, view) }
    case 'hunk':
      return { line: hunkLine(row.hunk) }
    case 'line': {
      const coloured = view.state.highlighter?.(file.change.path, row.hunk, row.at) ?? null
      return codeRow(row.hunk.line(row.at), coloured, codePlaceIn(file, view))
    }
  }
}

export const missingLine = (what: string): Line => [' ', span('not included: ', 'needs_you'), what]

/** If hunks are folded away, it says how to unfold them. */
function remarkLine({ words, folded }: FlowRow & { kind: 'remark' }, { state }: HunksView): Line {
  const key = chordFor(state.facts, 'diff.fold')
  const how: Span[] =
    folded && key !== '' ? [span(': ', 'dim'), span(key, 'key'), span(' unfolds it', 'dim')] : []
  return ['   ', span(words, 'dim'), ...how]
}

function hunkLine({ oldStart, oldCount, newStart, newCount, heading }: PatchHunk): Line {
  const range = `@@ -${rangeOf(oldStart, oldCount)} +${rangeOf(newStart, newCount)} @@`
  return [' ', span(range, 'accent'), span(heading === '' ? '' : ` ${heading}`, 'dim')]
}

const rangeOf = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)

function codePlaceIn({ hunks }: DiffFile, { state, width }: HunksView): CodePlace {
  const last = hunks.at(-1)
  const most = Math.max(
    (last?.oldStart ?? 0) + (last?.oldCount ?? 0),
    (last?.newStart ?? 0) + (last?.newCount ?? 0),
  )
  return {
    width,
    digits: Math.max(3, `${most}`.length),
    shift: state.shift,
    wanted: state.search?.text ?? '',
  }
}
