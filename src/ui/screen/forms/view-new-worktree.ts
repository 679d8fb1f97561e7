// The form of a worktree on the screen.

import type { Line } from '../../text/line.ts'
import { showChord } from '../keys/chord-names.ts'
import { airy, type PopupView, popupBox, textWidth } from '../overlays/popup.ts'
import type { Look, Size } from '../scene.ts'
import type { NewWorktree } from './new-worktree.ts'
import { worktreeRect, worktreeRows } from './new-worktree-layout.ts'
import { statusLines } from './status-lines.ts'

export function viewNewWorktree(state: NewWorktree, screen: Size, look: Look): PopupView {
  const rect = worktreeRect(state, screen)
  const rows = worktreeRows(state, screen, look.ascii)
  const hints = [
    { key: showChord('enter', look), does: 'make it' },
    { key: 'Tab', does: 'next field' },
    ...(state.focus === 'parent' ? [{ key: showChord('right', look), does: 'complete' }] : []),
    { key: 'Esc', does: 'leave' },
  ]
  const status = statusLines(state.phase, hints, textWidth(rect))
  const air = Math.max(0, rect.height - 2 - rows.length - status.length)
  const lines = [...rows.map(({ line }) => line), ...Array<Line>(air).fill(''), ...status]
  const at = rows.findIndex(({ cursor }) => cursor !== undefined)
  const cursor = rows[at]?.cursor
  return {
    boxes: [
      popupBox({
        key: 'new-worktree',
        rect,
        title: 'New worktree',
        rows: lines.map((line) => ({ line: airy(line) })),
      }),
    ],
    cursor:
      cursor === undefined || state.phase.kind === 'starting'
        ? null
        : { x: Math.min(rect.x + 2 + cursor, rect.x + rect.width - 1), y: rect.y + 1 + at },
  }
}
