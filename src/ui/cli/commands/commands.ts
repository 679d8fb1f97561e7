// The table of commands. The parser, --help, completion and the README are made from it; nothing else knows a command's
// name.

import { AGENT_COMMANDS } from './agent-commands.ts'
import { CHECKPOINT_COMMANDS } from './checkpoint-commands.ts'
import type { CommandRow } from './command.ts'
import { ENTRY_COMMANDS } from './entry-commands.ts'
import { ENVIRONMENT_COMMANDS } from './environment-commands.ts'
import { HISTORY_COMMANDS } from './history-commands.ts'
import { LANDING_COMMANDS } from './landing-commands.ts'
import { SUPPORT_COMMANDS } from './support-commands.ts'
import { WORKTREE_COMMANDS } from './worktree-commands.ts'

export const COMMANDS: readonly CommandRow[] = [
  ...ENTRY_COMMANDS,
  ...WORKTREE_COMMANDS,
  ...AGENT_COMMANDS,
  ...LANDING_COMMANDS,
  ...CHECKPOINT_COMMANDS,
  ...HISTORY_COMMANDS,
  ...ENVIRONMENT_COMMANDS,
  ...SUPPORT_COMMANDS,
]
