import { expect, test } from 'vitest'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { BINDINGS } from '../../../../src/ui/screen/keys/bindings.ts'
import { EMPTY_SNAPSHOT, type Snapshot } from '../../../../src/ui/screen/observe/snapshot.ts'
import { beginState, type DashboardState } from '../../../../src/ui/screen/state/dashboard-state.ts'
import { selectedItem, selectedRow } from '../../../../src/ui/screen/state/selection.ts'
import { update } from '../../../../src/ui/screen/state/update.ts'
import { NOW, observed } from '../../../support/dashboard/dashboard.ts'
import { worktreeView } from '../../../support/records/records.ts'

const ID = '20260128120501-c2d8'
const WORKTREES: Partial<Snapshot> = { taken_at: NOW, worktrees: [worktreeView()] }
const ALL: Partial<Snapshot> = {
  ...WORKTREES,
  invocations: [observed({ invocation_id: parseInvocationId(ID) })],
}

const begin = (opening: { greeting?: readonly string[]; selected?: string | null }): DashboardState =>
  beginState({
    size: { columns: 80, rows: 24 },
    now: NOW,
    repository: 'greeter',
    snapshot: EMPTY_SNAPSHOT,
    bindings: BINDINGS,
    ascii: false,
    version: '0.1.0',
    default_runner: 'shell',
    ...opening,
  })

const observe = (state: DashboardState, seen: Partial<Snapshot>): DashboardState =>
  update(state, { kind: 'snapshot', snapshot: { ...EMPTY_SNAPSHOT, ...seen } }).state

test('an agent that is to be selected is waited for while only its worktree has been seen', () => {
  const early = observe(begin({ selected: ID }), WORKTREES)
  expect(selectedItem(early)).toBe(null)
  expect(selectedRow(observe(early, ALL))?.record.invocation_id).toBe(ID)
})

test('where none is named, what stands first is selected', () => {
  expect(selectedItem(observe(begin({}), WORKTREES))?.kind).toBe('worktree')
})

test('a greeting stays for a minute', () => {
  const after = (seconds: number): number => {
    const now = new Date(NOW.getTime() + seconds * 1000)
    return update(begin({ greeting: ['hello'] }), { kind: 'tick', now }).state.toasts.length
  }
  expect([after(59), after(61)]).toEqual([1, 0])
})
