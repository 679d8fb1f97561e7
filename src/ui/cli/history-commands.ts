// agency undo, redo, log and gc: the operation log, and what is kept for it.

import type { OperationLine, Undone } from '../../core/agency.ts'
import { formatAge } from '../text/ages.ts'
import { count } from '../text/amounts.ts'
import { type Line, span } from '../text/line.ts'
import { formatTable } from '../text/table.ts'
import type { CommandRow, Page, Result } from './command.ts'
import { viewNotes } from './views.ts'

export const HISTORY_COMMANDS: readonly CommandRow[] = [
  {
    path: ['undo'],
    summary: 'Take back the last land, discard or worktree rm',
    description:
      'Branches, directories, records and your own edits come back. Refused if something has moved since.',
    examples: [{ line: 'agency undo', says: 'again for the one before it' }],
    run: async (call) => describeUndone('undone', await (await call.agency()).undo()),
  },
  {
    path: ['redo'],
    summary: 'Do again what was last undone',
    examples: [{ line: 'agency redo', says: 'after agency undo' }],
    run: async (call) => describeUndone('done again', await (await call.agency()).redo()),
  },
  {
    path: ['log'],
    summary: 'List what was done here and can be undone',
    examples: [{ line: 'agency log', says: 'newest first' }],
    run: async (call) => {
      const operations = await (await call.agency()).operations()
      return { data: { operations }, view: (page) => viewOperations(operations, page) }
    },
  },
  {
    path: ['gc'],
    summary: 'Drop what was kept for undo longer than keep_discarded',
    options: [{ flags: '--dry-run', summary: 'only say what would go' }],
    examples: [{ line: 'agency gc --dry-run', says: 'look first' }],
    run: async (call) => {
      const dryRun = call.flag('dry-run')
      const collected = await (await call.agency()).collectGarbage({ dry_run: dryRun })
      const { dropped_refs, deleted_paths } = collected
      const total =
        count(dropped_refs.length, 'kept state') +
        ` and ${count(deleted_paths.length, 'directory', 'directories')}`
      const view = (): Line[] => [
        `${dryRun ? 'would drop' : 'dropped'} ${total}`,
        ...[...dropped_refs, ...deleted_paths].map((what) => span(`  ${what}`, 'dim')),
      ]
      return { data: collected, view }
    },
  },
]

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
