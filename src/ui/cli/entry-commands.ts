// The ways in: agency by itself, run, demo.

import type { Call, CommandRow, Result } from './command.ts'
import { isTerminal } from './is-terminal.ts'
import { RUN } from './start-commands.ts'

export const ENTRY_COMMANDS: readonly CommandRow[] = [
  {
    path: ['watch'],
    summary: 'Open the dashboard (what agency does by itself)',
    description: 'Without a terminal, or with --json, it lists the agents.',
    examples: [{ line: 'agency', says: 'the same' }],
    run: watch,
  },
  RUN,
  {
    path: ['demo'],
    summary: 'Show all of it on a throw-away repository, with no account',
    description:
      'Opens the dashboard, with three agents at work. Without a terminal, or with --json, it runs commands and shows what they say.',
    options: [
      { flags: '--keep', summary: 'leave the repository behind, and say where' },
      { flags: '--transcript', summary: 'commands and what they say, in place of the dashboard' },
    ],
    examples: [
      { line: 'agency demo', says: 'three agents at once, in the dashboard' },
      { line: 'agency demo --transcript', says: 'the same by commands; takes some seconds' },
    ],
    run: async (call) => (await import('./demo.ts')).runDemo(call),
  },
]

async function watch(call: Call): Promise<Result> {
  const { console } = call
  if (call.json || !isTerminal(console)) {
    return (await import('./agent-verbs.ts')).listAgents(call)
  }
  const [agency, { openDashboard }] = await Promise.all([
    call.agency(),
    import('../screen/app/open-dashboard.ts'),
  ])
  await openDashboard(console, agency)
  return { data: null, view: () => [] }
}
