// The facade of the program that starts agents and does nothing else, made of the same verbs as the whole facade.

import type { StartingAgency } from './agency.ts'
import { type AgencyOptions, openContext } from './open-context.ts'
import { startingVerbs } from './starting-verbs.ts'
import { withOurErrors } from './with-our-errors.ts'

export async function createStartingAgency(options: AgencyOptions): Promise<StartingAgency> {
  const context = await openContext(options)
  return withOurErrors(context.repository.paths.dir, startingVerbs(context))
}
