// What undo, redo, log and gc do: they call the facade and put its answers into words.

import type { OperationLine, Undone } from '../../../core/facade/agency.ts'
import { formatAge } from '../../text/ages.ts'
import { count } from '../../text/amounts.ts'
import { type Line, span } from '../../text/line.ts'
import { formatTable } from '../../text/table.ts'
import type { Call, Page, Result } from '../commands/command.ts'
import { viewNotes } from '../views/views.ts'

export const runUndo = async (call: Call): Promise<Result> =>
  describeUndone('undone', await (await call.agency()).undo())

export const runRedo = async (call: Call): Promise<Result> =>
  describeUndone('done again', await (await call.agency()).redo())

export async function listOperations(call: Call): Promise<Result> {
  const operations = await (await call.agency()).operations()
  return { data: { operations }, view: (page) => viewOperations(operations, page) }
}

export async function runCollectGarbage(call: Call): Promise<Result> {
  const dryRun = call.flag('dry-run')
  const collected = await (await call.agency()).collectGarbage({ dry_run: dryRun })
  const { dropped_refs, deleted_paths } = collected
  const total = `${count(dropped_refs.length, 'kept state')} and ${count(deleted_paths.length, 'directory', 'directories')}`
  const view = (): Line[] => [
    `${dryRun ? 'would drop' : 'dropped'} ${total}`,
    ...[...dropped_refs, ...deleted_paths].map((what) => span(`  ${what}`, 'dim')),
  ]
  return { data: collected, view }
}

function describeUndone(verb: string, undone: Undone): Result {
  const { operation, notes } = undone
  return {
    data: undone,
    view: () => [[span(`${verb}: `, 'ready'), operation.description], ...viewNotes(notes)],
  }
}

function viewOperations(operations: readonly OperationLine[], page: Page): Line[] {
  if (operations.length === 0) return ['Nothing was landed, discarded or removed here yet.']
  const columns = [
    { title: 'AGE', align: 'right' },
    { title: 'STATE' },
    { title: 'WHAT', shrink: 'end' },
  ] as const
  const rows = operations.map(({ operation, state }) => [
    formatAge(operation.at, page.now),
    span(state === 'done' ? '' : state, 'idle'),
    operation.description,
  ])
  return formatTable(columns, rows, page.columns)
}
