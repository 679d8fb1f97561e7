// What `agency` does by itself. It is in the table of all commands, and is the only row of the program that opens the
// dashboard.

import { isTerminal } from '../../person/is-terminal.ts'
import type { Call, CommandRow, Result } from '../commands/command.ts'

export const WATCH: CommandRow = {
  path: ['watch'],
  summary: 'Open the dashboard (what agency does by itself)',
  description: 'Without a terminal, or with --json, it lists the agents.',
  examples: [{ line: 'agency', says: 'the same' }],
  run: watch,
}

async function watch(call: Call): Promise<Result> {
  const { console } = call
  if (call.json || !isTerminal(console)) {
    return (await import('./agent-verbs.ts')).runListAgents(call)
  }
  const [agency, { openDashboard }] = await Promise.all([
    call.agency(),
    import('../../screen/app/open-dashboard.ts'),
  ])
  await openDashboard(console, agency)
  return { data: null, view: () => [] }
}
