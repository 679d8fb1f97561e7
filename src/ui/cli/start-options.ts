// The options of starting an agent, shared by `agency agent start` and `agency run`. Apart from the code that acts on
// them, so that completion and help need not load it.

import type { OptionRow } from './command.ts'

export const START_OPTIONS: readonly OptionRow[] = [
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
  { flags: '--env <name>', summary: 'where it runs; only local exists yet', completes: ['local'] },
  { flags: '--no-start', summary: 'make the sandbox and run nothing' },
  { flags: '--no-include-untracked', summary: 'keep untracked files out of its checkpoints' },
]

export const START_DESCRIPTION = `Each agent gets a sandbox of its own; your worktree changes only when you land it.

Headed (the default) joins the agent's terminal; Ctrl-\\ leaves it and the agent goes on. --headless shows the
agent's progress on standard error until it ends, and exits 0 or 1 by its verdict; Ctrl-C stops showing it (130),
and the agent goes on. --detached does neither. A headless prompt that is not given is asked for in your editor.`
