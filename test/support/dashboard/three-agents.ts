// A dashboard with three agents in two worktrees: claude works, codex waits for a person in its terminal, one is done.

import { parseInvocationId, parseWorktreeId } from '../../../src/core/model/ids.ts'
import type { PaneFacts } from '../../../src/ui/screen/state/dashboard-state.ts'
import { FINISHED, worktreeRecord, worktreeView } from '../records/records.ts'
import { observed, openScreen, type Screen } from './dashboard.ts'

export const CLAUDE = '20260128120500-b7c9'
export const CODEX = '20260128120501-c2d8'
export const DONE = '20260128120502-d4e5'
export const OTHER_TREE = parseWorktreeId('20260128120001-a3f3')

export const claude = observed({ invocation_id: parseInvocationId(CLAUDE) })
export const codex = observed(
  {
    invocation_id: parseInvocationId(CODEX),
    runner: 'codex',
    invocation_name: '',
    mode: 'headed',
    host: { pid: 7, start_time: '7', socket_path: '/s' },
  },
  { display: 'needs_input' },
)
export const done = observed(
  { ...FINISHED, invocation_id: parseInvocationId(DONE), integration_worktree_id: OTHER_TREE },
  { display: 'ready' },
)

export const openWithAgents = (size = { columns: 80, rows: 24 }): Screen =>
  openScreen(
    {
      worktrees: [
        worktreeView(),
        worktreeView({ record: worktreeRecord({ worktree_id: OTHER_TREE, name: 'bugfix' }) }),
      ],
      invocations: [claude, codex, done],
      counters: { working: 1, needs_you: 1, ready: 1, failed: 0 },
    },
    size,
  )

export const LIVE: PaneFacts = {
  state: 'live',
  title: '',
  scrolled: 0,
  mouse: false,
  alternate_screen: false,
  failure: null,
}

/** A screen on which codex's terminal has the keyboard. */
export function inPane(facts: Partial<PaneFacts> = {}): Screen {
  const screen = openWithAgents()
  screen.press('down', 'down')
  screen.tell({ kind: 'pane', id: CODEX, facts: { ...LIVE, ...facts } })
  screen.press('enter')
  return screen
}
