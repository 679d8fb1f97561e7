// The diff view as boxes. Its cost depends only on the height of the screen, however long the diff is.

import { type Line, type Span, span } from '../../text/line.ts'
import { innerRect, type Look, type Rect, rows, type SceneBox } from '../scene.ts'
import { layOutDiff } from './diff-layout.ts'
import { currentFile, type DiffFocus, type DiffState, shownContent } from './diff-state.ts'
import { pathOf } from './file-line.ts'
import { viewHunks } from './view-hunks.ts'
import { type ListView, viewCommits, viewFiles } from './view-lists.ts'
import { readingWords, viewMessage } from './view-message.ts'

export function viewDiff(state: DiffState, rect: Rect, look: Look): readonly SceneBox[] {
  const layout = layOutDiff(state, rect)
  return (['commits', 'files', 'hunks'] as const).flatMap((box) => {
    const own = layout[box]
    return own === null ? [] : [frame(state, box, { rect: own, joinsAbove: own.y > rect.y, look })]
  })
}

interface DiffBoxPlace {
  readonly rect: Rect
  readonly joinsAbove: boolean
  readonly look: Look
}

const VIEWS: Readonly<Record<DiffFocus, (state: DiffState, rect: Rect, look: Look) => ListView>> = {
  commits: viewCommits,
  files: viewFiles,
  hunks: viewContent,
}

function frame(state: DiffState, box: DiffFocus, { rect, joinsAbove, look }: DiffBoxPlace): SceneBox {
  const { title, note, rows } = VIEWS[box](state, rect, look)
  const focused = look.focused && state.focus === box
  return {
    key: `diff:${state.facts.id}:${box}`,
    rect,
    border: { title, focused, joinsAbove, ...(note === undefined ? {} : { note }) },
    body: { kind: 'rows', rows },
  }
}

function viewContent(state: DiffState, rect: Rect, look: Look): ListView {
  const content = shownContent(state)
  const message = viewMessage(state, content, { look, width: innerRect(rect).width })
  const note = diffNote(state, look)
  return {
    title: diffTitle(state, look),
    ...(note === null ? {} : { note }),
    rows:
      content === null || message !== null
        ? rows(...(message ?? []))
        : viewHunks(state, content, { rect, look }),
  }
}

/** Names the file that the person is in. */
function diffTitle(state: DiffState, look: Look): Line {
  const file = shownContent(state)?.files[currentFile(state) ?? -1]
  return file === undefined ? state.facts.name : span(pathOf(file.change, look), 'strong')
}

/** What applies to everything that is shown. */
function diffNote(state: DiffState, look: Look): Line | null {
  const { loading, content, search, want } = state
  const parts: Span[] = [
    ...(loading !== null && shownContent(state) !== null ? [span(readingWords(state, look), 'working')] : []),
    ...(content?.ignoreWhitespace === true && want.ignore_whitespace ? ['white space hidden'] : []),
    ...(search === null ? [] : [searchWords(search)]),
  ]
  return parts.length === 0 ? null : parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))
}

const searchWords = ({ text, matches, current }: NonNullable<DiffState['search']>): Span => {
  const place =
    matches.length === 0 ? 'nothing' : `${current === null ? '' : `${current + 1}/`}${matches.length}`
  return span(`${text}: ${place}`, matches.length === 0 ? 'needs_you' : 'accent')
}
