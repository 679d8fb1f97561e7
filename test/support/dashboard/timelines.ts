// An open list of checkpoints on a screen, in which tests press keys.

import type { Checkpoint } from '../../../src/core/model/checkpoint.ts'
import type { Command } from '../../../src/ui/screen/state/message.ts'
import { checkpointRecord, FINISHED, worktreeView } from '../records/records.ts'
import { NOW, observed, openScreen, type Screen } from './dashboard.ts'

export const ended = observed(FINISHED, { display: 'ready' })
export const running = observed()
export const ID = ended.record.invocation_id

export const minutesAgo = (minutes: number): string =>
  new Date(NOW.getTime() - minutes * 60_000).toISOString()

export const FOUR: readonly Checkpoint[] = [
  checkpointRecord({
    id: 1,
    created_at: minutesAgo(190),
    reason: 'turn',
    turn: 1,
    diffstat: '+128 -0 in 9 files',
  }),
  checkpointRecord({
    id: 2,
    parent: 1,
    created_at: minutesAgo(45),
    name: 'before the rewrite',
    diffstat: '+4 -60 in 2 files',
  }),
  checkpointRecord({
    id: 5,
    parent: 2,
    created_at: minutesAgo(12),
    excluded: ['.env', 'data/dump.sql'],
    diffstat: '+0 -3 in 1 file',
  }),
  checkpointRecord({
    id: 6,
    parent: 5,
    created_at: minutesAgo(2),
    reason: 'exit',
    diffstat: '+42 -15 in 3 files',
  }),
]

/** Opens the list of an agent, and lets it be read. */
export function openList(
  row = ended,
  checkpoints: readonly Checkpoint[] = FOUR,
  size = { columns: 80, rows: 24 },
): Screen {
  const screen = openScreen({ worktrees: [worktreeView()], invocations: [row] }, size)
  screen.press('down', 'C')
  screen.tell({ kind: 'timeline_read', id: ID, checkpoints })
  return screen
}

export const lastCommand = ({ commands }: Screen): Command | undefined => commands.at(-1)
/** What is to the right of the tree. */
export const stageOf = (screen: Screen): string =>
  screen
    .draw()
    .map((line) => line.slice(30))
    .join('\n')
