// The environments that a person can choose from, and what can be known of one before anything is made in it.

import type { EnvironmentCatalog } from '../../core/model/environment-catalog.ts'
import { AgencyError } from '../../core/model/errors.ts'
import { type Environment, LOCAL_ENVIRONMENT } from '../../core/model/invocation.ts'
import { findPrimitives, lacking, PRIMITIVES, type Primitives } from './primitives.ts'

const ENVIRONMENTS: ReadonlyMap<string, Environment> = new Map([[LOCAL_ENVIRONMENT.name, LOCAL_ENVIRONMENT]])

export function environmentCatalog(primitives: Primitives = PRIMITIVES): EnvironmentCatalog {
  const names = [...ENVIRONMENTS.keys()]
  return {
    names,
    get: (name) => ENVIRONMENTS.get(name) ?? unknownEnvironment(name, names),
    of: (environment) => ({
      preflight: async () => {
        const refusals = lacking(primitives, environment)
        if (refusals.length > 0) return refusals
        const { platform, box } = findPrimitives(primitives, environment)
        return [...(await platform.preflight(environment)), ...(await box.preflight(environment))]
      },
      inside: (path) => findPrimitives(primitives, environment).box.inside(path),
    }),
  }
}

function unknownEnvironment(name: string, names: readonly string[]): never {
  throw new AgencyError(
    'E_ENVIRONMENT_UNKNOWN',
    `there is no environment '${name}'; there is ${names.join(', ')}`,
    { hint: `use: --env ${names.join(', --env ')}`, details: { environments: names } },
  )
}
