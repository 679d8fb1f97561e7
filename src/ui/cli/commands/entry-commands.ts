// The commands that people begin with: agency by itself, run, demo.

import { WATCH } from '../verbs/watch.ts'
import type { CommandRow } from './command.ts'
import { RUN } from './start-commands.ts'

export const ENTRY_COMMANDS: readonly CommandRow[] = [
  WATCH,
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
    run: async (call) => (await import('../demo/demo.ts')).runDemo(call),
  },
]
