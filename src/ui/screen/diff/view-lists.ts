// The lists at the left of the diff view: files, and commits while these are looked at one by one.

import type { FileChange } from '../../../core/model/change.ts'
import { count } from '../../text/amounts.ts'
import { type Line, span } from '../../text/line.ts'
import { makeVisible } from '../../text/visible.ts'
import { elide } from '../../text/width.ts'
import { innerRect, type Look, type Rect, type Row } from '../scene.ts'
import { type DiffFocus, type DiffState, partsOf, shownContent } from './diff-state.ts'
import { counts, fileLine } from './file-line.ts'
import { listed, visibleTop } from './visible-top.ts'

const SHORT_ID = 7
const SUBJECT_AT = SHORT_ID + 3

export interface ListView {
  readonly title: Line
  readonly note?: Line
  readonly rows: readonly Row[]
}

export function viewCommits(state: DiffState, rect: Rect, look: Look): ListView {
  const rows = window(state, 'commits', rect).map((index): Line => {
    const part = partsOf(state)[index]
    if (part === 'uncommitted') return [' ', span('uncommitted', 'strong')]
    const line = state.content?.commits.find(({ commit }) => commit === part)
    const subject = elide(makeVisible(line?.subject ?? ''), innerRect(rect).width - SUBJECT_AT)
    return [' ', span(part?.slice(0, SHORT_ID) ?? '', 'accent'), ` ${subject}`]
  })
  const title = count(state.content?.commits.length ?? 0, 'commit')
  return { title, rows: withBar(state, 'commits', { rect, lines: rows, look }) }
}

export function viewFiles(state: DiffState, rect: Rect, look: Look): ListView {
  const content = shownContent(state)
  if (content === null) return { title: state.facts.name, rows: [] }
  const room = { width: innerRect(rect).width, lead: '', as: null }
  const lines = window(state, 'files', rect).flatMap((index) => {
    const file = content.files[index]
    return file === undefined ? [] : [fileLine(file.change, room, look)]
  })
  const title = totals(
    content.files.map(({ change }) => change),
    look,
  )
  const left = content.incomplete.length
  return {
    title,
    ...(left === 0 ? {} : { note: span(`${left} not included`, 'needs_you') }),
    rows: withBar(state, 'files', { rect, lines, look }),
  }
}

/** `3 files +42 −15`. */
function totals(changes: readonly FileChange[], look: Look): Line {
  const sum = (pick: (change: FileChange) => number | null): number =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0)
  const all = { added: sum(({ added }) => added), deleted: sum(({ deleted }) => deleted), binary: false }
  const counted = counts(all, look)
  return [count(changes.length, 'file'), ...(counted.length === 0 ? [] : [' ', ...counted])]
}

/** The indexes of the list that are shown. */
function window(state: DiffState, box: DiffFocus, rect: Rect): number[] {
  const { height } = innerRect(rect)
  const list = listed(state, box)
  const top = visibleTop(state.tops[box], { ...list, height })
  return Array.from({ length: Math.max(0, Math.min(height, list.length - top)) }, (_, row) => top + row)
}

interface Lines {
  readonly rect: Rect
  readonly lines: readonly Line[]
  readonly look: Look
}

function withBar(state: DiffState, box: DiffFocus, { rect, lines, look }: Lines): Row[] {
  const [first = 0] = window(state, box, rect)
  const { at } = listed(state, box)
  const bar = look.focused && state.focus === box ? 'selected' : 'unfocused'
  return lines.map((line, row) => (first + row === at ? { line, bar } : { line }))
}
