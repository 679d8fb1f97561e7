// Commands about environments: which there are, what each means, and whether it works on this machine.

import type { CommandRow } from './command.ts'
import { ENVIRONMENT_OPTIONS } from './environment-options.ts'

export const ENVIRONMENT_COMMANDS: readonly CommandRow[] = [
  {
    path: ['env', 'ls'],
    summary: 'List the environments that an agent can be started in',
    examples: [{ line: 'agency env ls', says: 'what each means, and whether it works here' }],
    run: async (call) => (await import('../verbs/environment-verbs.ts')).listEnvironments(call),
  },
  {
    path: ['env', 'show'],
    summary: 'Show all choices and limits of an environment',
    args: [{ name: 'environment', completes: ['local', 'boxed', 'offline'] }],
    options: ENVIRONMENT_OPTIONS,
    examples: [
      { line: 'agency env show boxed', says: 'as a start would record it' },
      { line: 'agency env show boxed --memory 4096', says: 'with a limit of its own' },
    ],
    run: async (call) => (await import('../verbs/environment-verbs.ts')).showEnvironment(call),
  },
  {
    path: ['env', 'check'],
    summary: 'Try to break out of an environment, from inside',
    description: 'Says what was tried, and exits 6 if an agent would not be started in it.',
    args: [{ name: 'environment', completes: ['local', 'boxed', 'offline'] }],
    options: ENVIRONMENT_OPTIONS,
    examples: [{ line: 'agency env check offline', says: 'one line for each attempt' }],
    run: async (call) => (await import('../verbs/environment-verbs.ts')).checkEnvironment(call),
  },
]
