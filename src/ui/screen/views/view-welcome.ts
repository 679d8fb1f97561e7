// What the stage says while there is nothing to show on it: how to begin, or what a worktree is about.

import type { WorktreeView } from '../../../core/facade/agency.ts'
import { shortId } from '../../../core/model/ids.ts'
import { formatAge } from '../../text/ages.ts'
import { count } from '../../text/amounts.ts'
import { shortenLine } from '../../text/fit-line.ts'
import { type Line, span } from '../../text/line.ts'
import { STATE_LOOKS } from '../../text/theme.ts'
import { packLines, wrapLine } from '../../text/wrap.ts'
import { stateGlyph } from '../glyphs.ts'
import type { ObservedInvocation, Snapshot } from '../observe/snapshot.ts'
import { type Look, type Row, rows } from '../scene.ts'
import { figures } from '../tree/view-tree.ts'

const key = (text: string): ReturnType<typeof span> => span(text, 'key')

/** `width` is in cells, inside the border. */
export function viewWelcome(repository: string, snapshot: Snapshot, width: number): Row[] {
  if (snapshot.taken_at === null) return rows('', [' ', span('reading…', 'dim')])
  if (snapshot.worktrees.length > 0) return rows('', [' ', span('nothing is selected', 'dim')])
  const lines: Line[] = [
    '',
    [' ', span(`No worktrees yet in ${repository}.`, 'strong')],
    '',
    ['  1. ', key('n'), ' starts an agent: it asks for a worktree, a runner and a prompt.'],
    '     The agent works in a sandbox of its own; nothing of yours is touched.',
    '',
    ['  2. Watch it here. ', key('d'), ' shows what it changed.'],
    '',
    ['  3. ', key('L'), " lands its work on the worktree's branch, ", key('D'), ' drops it.'],
    ['     ', key('u'), ' takes either back.'],
    '',
    [' ', span('The worktree is a branch and a directory that you open, review and merge.', 'dim')],
    [' ', key('w'), span(' makes one without an agent, ', 'dim'), key('?'), span(' shows every key.', 'dim')],
  ]
  return rows(...lines.flatMap((line) => wrapLine(line, width - 1)))
}

export function viewWorktreeStage(
  view: WorktreeView,
  invocations: readonly ObservedInvocation[],
  { look, width }: { readonly look: Look; readonly width: number },
): Row[] {
  const { record } = view
  const within = (line: Line): Line => shortenLine(line, width - 1)
  const own = invocations.filter((row) => row.record.integration_worktree_id === record.worktree_id)
  const head: Line[] = [
    '',
    within([' ', span(record.name, 'strong'), span(`  ${record.branch}`, 'dim')]),
    within([' ', span(`from ${record.parent_branch}, ${count(own.length, 'agent')}`, 'dim')]),
    '',
  ]
  if (record.state === 'archived') return rows(...head, ...wrapLine(ARCHIVED, width - 1))
  const below = ['', ...packLines(WAYS, { width: width - 2, gap: 3 }).map((row) => [' ', ...row])]
  if (own.length === 0) return rows(...head, ...wrapLine(NONE_YET, width - 1), ...below)
  return rows(...head, ...own.map((row) => within(agentLine(row, look))), ...below)
}

function agentLine(row: ObservedInvocation, look: Look): Line {
  const { record, display } = row
  const { words, meaning } = STATE_LOOKS[display]
  const age = formatAge(record.finished_at ?? record.started_at, look.now)
  const shown = figures(row, look, Number.POSITIVE_INFINITY)
  return [
    '  ',
    span(shortId(record.invocation_id), 'accent'),
    `  ${record.invocation_name === '' ? record.runner : record.invocation_name}  `,
    span(`${stateGlyph(display, look)} ${words} ${age}`, meaning),
    ...(shown.length === 0 ? [] : ['  ', ...shown]),
    ...(record.prompt === null ? [] : [span(`  ${record.prompt}`, 'dim')]),
  ]
}

const ARCHIVED: Line = [' ', span('It is archived: its directory is gone, its branch is there.', 'dim')]

const NONE_YET: Line = [' No agent has worked for it. ', key('n'), ' starts one.']

const WAYS: readonly Line[] = [
  [key('n'), span(' new agent', 'dim')],
  [key('o'), span(' open in your editor', 'dim')],
  [key('S'), span(' a shell in it', 'dim')],
  [key('P'), span(' copy its path', 'dim')],
]
