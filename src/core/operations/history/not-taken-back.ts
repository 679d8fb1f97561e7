// A verb has failed, and what it had begun could not be taken back either: its journal stays. The error is still the
// verb's own, and says so.

import { AgencyError } from '../../model/errors.ts'

export const notTakenBack = (error: unknown): unknown =>
  error instanceof AgencyError
    ? new AgencyError(error.code, `${error.message}; what had been begun could not be taken back yet`, {
        hint: 'remove what stands in the way, then: agency doctor --fix',
        details: error.details,
        cause: error,
      })
    : error
