// Returns the error in which a verb ends, for tests that look at more than its code.

import { AgencyError } from '../../../src/core/model/errors.ts'

export async function refusal(work: Promise<unknown>): Promise<AgencyError> {
  try {
    await work
  } catch (error) {
    if (error instanceof AgencyError) return error
    throw error
  }
  throw new Error('it was not refused')
}
