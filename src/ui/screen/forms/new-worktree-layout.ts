// The form of a worktree as rows, and where it stands.

import { span } from '../../text/line.ts'
import { elide } from '../../text/width.ts'
import { centre, textWidth } from '../overlays/popup.ts'
import type { Rect, Size } from '../scene.ts'
import { type FormRow, fieldRow, LABEL_WIDTH, messageRows } from './form-rows.ts'
import { type NewWorktree, type WorktreeField, worktreeProblem } from './new-worktree.ts'
import { statusLines } from './status-lines.ts'
import { completionOf } from './suggest-name.ts'

const WIDEST = 72
/** Rows that two borders and a blank line above the last lines take. */
const CHROME = 3
/** Both fields with a message or two, so that the form stays in place while messages come and go. */
const USUAL_ROWS = 5

export const worktreeWidth = (screen: Size): number => textWidth(centre(screen, { columns: WIDEST, rows: 1 }))

export function worktreeRect(state: NewWorktree, screen: Size): Rect {
  const width = worktreeWidth(screen)
  const status = statusLines(state.phase, [], width).length
  const rows = Math.max(USUAL_ROWS, worktreeRows(state, screen, false).length)
  return centre(screen, { columns: WIDEST, rows: rows + status + CHROME })
}

export function worktreeRows(
  state: NewWorktree,
  screen: Size,
  ascii: boolean,
): readonly FormRow<WorktreeField>[] {
  const width = worktreeWidth(screen)
  const branches = state.facts.branches ?? []
  return (['name', 'parent'] as const).flatMap((field) => {
    const place = { field, label: LABELS[field], focused: state.focus === field, width, ascii }
    const texts =
      field === 'name'
        ? { field: state.name, placeholder: 'my-feature' }
        : {
            field: state.parent,
            placeholder: 'a branch',
            completion: completionOf(state.parent.text, branches),
          }
    const problem = worktreeProblem(state, field)
    const message = problem === null ? '' : span(problem, 'failed')
    const fitting = field === 'parent' && place.focused ? fittingBranches(state, width - LABEL_WIDTH) : ''
    return [
      fieldRow(place, texts),
      ...(message === '' ? [] : messageRows(place, message)),
      ...(fitting === '' ? [] : messageRows(place, span(fitting, 'dim'))),
    ]
  })
}

const LABELS = { name: 'Name', parent: 'Starts from' } as const

/** Other branches that begin with what is typed, in one line. */
function fittingBranches({ facts, parent }: NewWorktree, width: number): string {
  const others = (facts.branches ?? []).filter((name) => name !== parent.text && name.startsWith(parent.text))
  return elide(others.slice(0, 20).join('  '), width)
}
