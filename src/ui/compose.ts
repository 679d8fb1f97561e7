// The composition: real doors, real runners, one facade. COMPOSITION: the single call to be wired is below.

import type { Agency } from '../core/agency.ts'
import { AgencyError } from '../core/model/errors.ts'

/** Throws E_NOT_A_REPOSITORY, E_CONFIG_INVALID. */
export async function openAgency(_cwd: string, _env: NodeJS.ProcessEnv): Promise<Agency> {
  throw new AgencyError('E_INTERNAL', 'the facade is not wired yet')
}
