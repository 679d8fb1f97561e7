// What an environment can be made of: one row for each value of a primitive. A value without a row is refused with its
// primitive's code, so that nobody who asks for a box gets a weaker one. Changesets are a room of the core.

import { ENVIRONMENT_EXTRAS, type Environment } from '../../core/model/environment.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import { ERROR_CODES, type ErrorCode } from '../../core/model/error-codes.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { Box } from './box.ts'
import { boxNone } from './box-none.ts'
import { boxOs } from './box-os.ts'
import type { Platform } from './platform.ts'
import { platformLocal } from './platform-local.ts'

export interface Primitives {
  readonly platforms: ReadonlyMap<string, Platform>
  /** By isolation. */
  readonly boxes: ReadonlyMap<string, Box>
  readonly software: readonly string[]
}

export const PRIMITIVES: Primitives = {
  platforms: new Map([['local', platformLocal]]),
  boxes: new Map([
    ['none', boxNone],
    ['os', boxOs],
  ]),
  software: ['host'],
}

export interface FoundPrimitives {
  readonly platform: Platform
  readonly box: Box
}

/** Throws the first refusal. */
export function findPrimitives(there: Primitives, environment: Environment): FoundPrimitives {
  const [refusal] = lacking(there, environment)
  const platform = there.platforms.get(environment.platform)
  const box = there.boxes.get(environment.isolation)
  if (refusal !== undefined) throw new AgencyError(refusal.code, refusal.message, { hint: refusal.hint })
  if (platform === undefined || box === undefined)
    throw new Error('a primitive without a row was not refused')
  return { platform, box }
}

/** One refusal for each primitive whose value has no row. */
export function lacking(there: Primitives, environment: Environment): readonly PreflightFailure[] {
  const box = there.boxes.get(environment.isolation)
  const rows: readonly (readonly [Primitive, ErrorCode, Iterable<string>])[] = [
    ['platform', 'E_PLATFORM_UNAVAILABLE', there.platforms.keys()],
    ['isolation', 'E_ISOLATION_UNAVAILABLE', there.boxes.keys()],
    ['outputs', 'E_OUTPUTS_UNENFORCEABLE', box?.outputs ?? [environment.outputs]],
    ['software', 'E_SOFTWARE_UNAVAILABLE', there.software],
  ]
  return [...rows.flatMap(refuseValue), ...refuseExtras(there, environment)]

  function refuseValue([primitive, code, values]: (typeof rows)[number]): PreflightFailure[] {
    const known = [...values]
    const asked = environment[primitive]
    if (known.includes(asked)) return []
    const message = `the environment '${environment.name}' asks for ${primitive} '${asked}'; there is ${known.join(', ')}`
    return [{ code, message, hint: ERROR_CODES[code].hint }]
  }
}

/** A limit that nobody enforces would be a promise that nobody keeps. */
function refuseExtras({ boxes }: Primitives, environment: Environment): PreflightFailure[] {
  const granted = boxes.get(environment.isolation)?.grants ?? []
  const asked = ENVIRONMENT_EXTRAS.filter(
    (extra) => environment[extra] !== undefined && !granted.includes(extra),
  )
  if (asked.length === 0) return []
  const message = `the environment '${environment.name}' asks for ${asked.join(', ')}; isolation '${environment.isolation}' cannot give that`
  return [{ code: 'E_LIMIT_UNENFORCEABLE', message, hint: ERROR_CODES.E_LIMIT_UNENFORCEABLE.hint }]
}

type Primitive = 'platform' | 'isolation' | 'outputs' | 'software'
