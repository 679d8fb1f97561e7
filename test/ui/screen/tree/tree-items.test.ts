import { expect, it } from 'vitest'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { observed, openScreen } from '../../../support/dashboard/dashboard.ts'
import { worktreeView } from '../../../support/records/records.ts'

it('keeps agents in the order in which they were started, also within a second', () => {
  const started = (id: string, started_at: string) =>
    observed({ invocation_id: parseInvocationId(`20260128120500-${id}`), started_at, invocation_name: id })
  const screen = openScreen({
    worktrees: [worktreeView()],
    invocations: [
      started('aaaa', '2026-01-28T12:05:00.900Z'),
      started('bbbb', '2026-01-28T12:05:00.100Z'),
      started('cccc', '2026-01-28T12:05:00.500Z'),
    ],
  })
  const tree = screen.draw().map((line) => line.slice(0, 20))
  const order = tree.flatMap((line) => /[├└] ([abc]{4}) /.exec(line)?.[1] ?? [])
  expect(order).toEqual(['bbbb', 'cccc', 'aaaa'])
})
