// The environments that a person can choose from, and what can be known of one before anything is made in it.

import {
  changeEnvironment,
  type Environment,
  type EnvironmentChanges,
  LOCAL_ENVIRONMENT,
} from '../../core/model/environment.ts'
import type { EnvironmentCatalog } from '../../core/model/environment-catalog.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { Machine } from './box.ts'
import { findPrimitives, lacking, PRIMITIVES, type Primitives } from './primitives.ts'
import { proveOnScratch } from './prove-on-scratch.ts'

/** What is there without any configuration, as differences from `local`. */
const SHIPPED: Readonly<Record<string, EnvironmentChanges>> = {
  boxed: { isolation: 'os', outputs: 'restricted' },
  offline: { isolation: 'os', outputs: 'none' },
}

export interface CatalogSources {
  /** `[environments.NAME]` of config.toml: differences from the shipped row of that name, else from `local`. */
  readonly rows?: Readonly<Record<string, EnvironmentChanges>> | undefined
  readonly primitives?: Primitives
  readonly machine?: Machine
}

export function environmentCatalog({
  rows = {},
  primitives = PRIMITIVES,
  machine = { env: process.env, data_dir: '/nonexistent' },
}: CatalogSources = {}): EnvironmentCatalog {
  const environments = readRows(rows)
  const names = [...environments.keys()]
  return {
    names,
    get: (name) => environments.get(name) ?? unknownEnvironment(name, names),
    of: (environment) => ({
      preflight: async () => {
        const refusals = lacking(primitives, environment)
        if (refusals.length > 0) return refusals
        const { platform, box } = findPrimitives(primitives, environment)
        return [...(await platform.preflight(environment)), ...(await box.preflight(environment, machine))]
      },
      prove: () => proveOnScratch(findPrimitives(primitives, environment).box, environment, machine),
      inside: (path) => findPrimitives(primitives, environment).box.inside(path),
    }),
  }
}

function readRows(rows: Readonly<Record<string, EnvironmentChanges>>): ReadonlyMap<string, Environment> {
  const all = new Map([[LOCAL_ENVIRONMENT.name, LOCAL_ENVIRONMENT]])
  for (const [name, changes] of [...Object.entries(SHIPPED), ...Object.entries(rows)]) {
    all.set(name, changeEnvironment({ ...(all.get(name) ?? LOCAL_ENVIRONMENT), name }, changes))
  }
  return all
}

function unknownEnvironment(name: string, names: readonly string[]): never {
  throw new AgencyError(
    'E_ENVIRONMENT_UNKNOWN',
    `there is no environment '${name}'; there is ${names.join(', ')}`,
    { hint: `use: --env ${names.join(', --env ')}`, details: { environments: names } },
  )
}
