// The part of the table of errors that is about environments: a code for an unknown name, and one for each of the five
// primitives.

import { type ErrorRow, EXIT } from './exit-status.ts'

export const ENVIRONMENT_CODES = {
  E_ENVIRONMENT_UNKNOWN: {
    exit: EXIT.unavailable,
    title: 'There is no such environment',
    hint: 'use: --env local',
  },
  E_CHANGESET_UNKNOWN: {
    exit: EXIT.unavailable,
    title: 'There is no such kind of sandbox',
    hint: 'agency doctor',
  },
  E_PLATFORM_UNAVAILABLE: {
    exit: EXIT.unavailable,
    title: 'The platform of the environment cannot be used here',
    hint: 'use: --env local',
  },
  E_ISOLATION_UNAVAILABLE: {
    exit: EXIT.unavailable,
    title: 'The isolation of the environment cannot be had here',
    hint: 'use: --env local, which isolates nothing',
  },
  E_OUTPUTS_UNENFORCEABLE: {
    exit: EXIT.unavailable,
    title: 'What the environment lets out cannot be enforced here',
    hint: 'use: --env local, which lets out everything',
  },
  E_BOX_UNPROVED: {
    exit: EXIT.unavailable,
    title: 'The box does not hold what it should, so nothing was started in it',
    hint: 'agency env check NAME',
  },
  E_SETUP_FAILED: {
    exit: EXIT.unavailable,
    title: "The environment's setup command failed",
    hint: 'try the command in the worktree; agency env show NAME names it',
  },
  E_LIMIT_UNENFORCEABLE: {
    exit: EXIT.unavailable,
    title: 'What the environment asks for cannot be had with this box',
    hint: 'agency env show NAME',
  },
  E_SOFTWARE_UNAVAILABLE: {
    exit: EXIT.unavailable,
    title: 'The software of the environment is not here',
    hint: 'use: --env local, which has the software of this machine',
  },
} as const satisfies Record<string, ErrorRow>
