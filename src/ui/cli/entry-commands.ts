// The ways in: agency by itself, run, demo.

import { span } from '../text/line.ts'
import type { Call, CommandRow, Result } from './command.ts'
import { START_DESCRIPTION, START_OPTIONS } from './start-options.ts'

export const ENTRY_COMMANDS: readonly CommandRow[] = [
  {
    path: ['watch'],
    summary: 'Show what your agents do (what agency does by itself)',
    description: 'The dashboard is still to come; until then this lists the agents.',
    examples: [{ line: 'agency', says: 'the same' }],
    run: watch,
  },
  {
    path: ['run'],
    summary: 'Make a worktree and start an agent for it',
    description: START_DESCRIPTION,
    options: [
      { flags: '--name <name>', summary: 'name of the worktree', required: true },
      { flags: '--parent <branch>', summary: 'branch to start from (default: the one you are on)' },
      { flags: '--open', summary: 'open the worktree in your editor' },
      ...START_OPTIONS,
      { flags: '--agent-name <name>', summary: 'a label for the agent in lists' },
    ],
    rest: true,
    examples: [
      { line: 'agency run --name my-feature', says: "a worktree, and a new agent's terminal" },
      {
        line: "agency run --name fix-1 --headless --prompt 'Fix the failing test'",
        says: 'work a prompt through',
      },
    ],
    run: async (call) => (await import('./run-agent.ts')).runAgent(call),
  },
  {
    path: ['demo'],
    summary: 'Show all of it on a throw-away repository, with no account',
    options: [{ flags: '--keep', summary: 'leave the repository behind, and say where' }],
    examples: [{ line: 'agency demo', says: 'three agents at once; takes some seconds' }],
    run: async (call) => (await import('./demo.ts')).runDemo(call),
  },
]

async function watch(call: Call): Promise<Result> {
  if (!call.json && call.console.stdout.isTTY === true) {
    call.say(
      span('The dashboard is not here yet. These are your agents; agency --help lists the commands.', 'dim'),
    )
  }
  return (await import('./agent-verbs.ts')).listAgents(call)
}
