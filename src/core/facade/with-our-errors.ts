// Wraps a facade, so that whatever a verb throws reaches the person in our words, with a hint that can be typed as it
// stands.

import { AgencyError } from '../model/errors.ts'
import { ofSystem } from '../model/system-failure.ts'

/** A limit of the machine, or its disk, can fail any verb anywhere. Then the error says so in our words. */
export function withOurErrors<T extends object>(dataDir: string, verbs: T): T {
  return new Proxy(verbs, {
    get: (target, name) => {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== 'function') return verb
      return async (...args: unknown[]) => {
        try {
          return await verb(...args)
        } catch (error) {
          throw withExactHint(ofSystem(error, dataDir), args[0])
        }
      }
    },
  })
}

/** Puts the name or id that the person used into the hint. */
function withExactHint(error: unknown, typed: unknown): unknown {
  if (!(error instanceof AgencyError) || typeof typed !== 'string') return error
  const hint = error.hint.replace(/\b(ID|NAME)\b/g, typed)
  if (hint === error.hint) return error
  return new AgencyError(error.code, error.message, { hint, details: error.details, cause: error.cause })
}
