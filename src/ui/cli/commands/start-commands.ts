// The two commands that start agents. Rows only, as in the other tables.

import type { StartingAgency } from '../../../core/facade/agency.ts'
import type { CommandRow, OptionRow } from './command.ts'
import { ENVIRONMENT_OPTION, ENVIRONMENT_OPTIONS } from './environment-options.ts'

const START_OPTIONS: readonly OptionRow[] = [
  {
    flags: '--runner <runner>',
    summary: 'which agent (default: that of --resume or --from, else default_runner of the configuration)',
    completes: 'runner',
  },
  { flags: '--headless', summary: 'without a terminal: the agent works the prompt through by itself' },
  { flags: '--detached', summary: 'return as soon as the agent runs' },
  { flags: '--prompt <text>', summary: 'what it is to do' },
  {
    flags: '--prompt-file <file>',
    summary: 'read the prompt from a file, or from standard input: -',
    completes: 'file',
  },
  { flags: '--model <model>', summary: "an alias or the runner's own name of a model" },
  {
    flags: '--runner-arg <arg>',
    summary: 'pass one argument on to the runner; may be repeated',
    repeats: true,
  },
  {
    flags: '--resume <id>',
    summary: 'follow up on the session of an earlier invocation',
    completes: 'invocation',
  },
  ENVIRONMENT_OPTION,
  ...ENVIRONMENT_OPTIONS,
  { flags: '--no-start', summary: 'make the sandbox and run nothing' },
  { flags: '--no-include-untracked', summary: 'keep untracked files out of its checkpoints' },
]

const START_DESCRIPTION = `Each agent gets a sandbox of its own; your worktree changes only when you land it.

Headed (the default) joins the agent's terminal; Ctrl-\\ leaves it and the agent goes on. --headless shows the
agent's progress on standard error until it ends, and exits 0 or 1 by its verdict; Ctrl-C stops showing it (130),
and the agent goes on. --detached does neither. A headless prompt that is not given is asked for in your editor.`

export const AGENT_START: CommandRow<StartingAgency> = {
  path: ['agent', 'start'],
  summary: 'Start an agent in a sandbox of its own',
  description: START_DESCRIPTION,
  options: [
    {
      flags: '--worktree <worktree>',
      summary: 'the worktree that it works towards (default: that of --from)',
      completes: 'worktree',
    },
    {
      flags: '--from <id>',
      summary: 'begin with the state of another agent, or with its checkpoint N: ID@N',
      completes: 'invocation',
    },
    ...START_OPTIONS,
    { flags: '--name <name>', summary: 'a label for lists' },
  ],
  rest: true,
  examples: [
    { line: 'agency agent start --worktree my-feature', says: "join a new agent's terminal" },
    {
      line: "agency agent start --worktree my-feature --headless --prompt 'Fix the failing test'",
      says: 'watch it work through a prompt',
    },
    {
      line: 'agency agent start --worktree my-feature --runner codex --headless --detached --prompt-file - < task.md',
      says: 'leave it to work, with the prompt from standard input',
    },
    {
      line: "agency agent start --worktree my-feature --runner shell --headless --prompt 'npm test'",
      says: 'any script is an agent',
    },
    { line: 'agency agent start --from b7c9@3', says: 'another way on from a checkpoint' },
  ],
  run: async (call) => (await import('../verbs/start-agent.ts')).startInWorktree(call),
}

export const RUN: CommandRow<StartingAgency> = {
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
  run: async (call) => (await import('../verbs/run-agent.ts')).runAgent(call),
}
