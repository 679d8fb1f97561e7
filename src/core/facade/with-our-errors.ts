// Wraps a facade, so that whatever a verb throws reaches the person in our words, with a hint that can be typed as it
// stands.

import { speakOurErrors } from '../doors/system/files.ts'
import { AgencyError } from '../model/errors.ts'

/** A full or read-only disk can fail any write of any verb. Then the error says so in our words. */
export function withOurErrors<T extends object>(dataDir: string, verbs: T): T {
  return new Proxy(verbs, {
    get: (target, name) => {
      const verb: unknown = Reflect.get(target, name)
      if (typeof verb !== 'function') return verb
      return (...args: unknown[]) =>
        speakOurErrors(dataDir, async () => verb(...args)).catch((error: unknown) => {
          throw withExactHint(error, args[0])
        })
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
