// Why git could not write a ref, where that lies in the refs and not in what was asked: a lock that somebody holds or has
// left, or another ref in the place where this one has to be.

import type { ErrorCode } from '../../model/error-codes.ts'
import { AgencyError } from '../../model/errors.ts'
import { realPathOf } from '../system/files.ts'

export interface RefFailure {
  readonly code: ErrorCode
  readonly message: string
}

const LOCKED = /Unable to create '(.+\.lock)': File exists/
const IN_THE_WAY =
  /cannot lock ref '(.+?)': ('(.+?)' exists; cannot create|there is a non-empty directory '.+?' blocking|unable to resolve reference '.+?': (reference broken|Is a directory|Not a directory)|cannot process '.+' and '.+' at the same time)/

/** null for any other failure. */
export function readRefFailure(stderr: string): RefFailure | null {
  const [, lock] = LOCKED.exec(stderr) ?? []
  if (lock !== undefined) {
    // git names it by way of our clean room, whose refs are a link.
    const path = realPathOf(lock)
    return { code: 'E_REF_LOCKED', message: `another git holds ${path}, or was killed while it did` }
  }
  const [, ref, why = '', other] = IN_THE_WAY.exec(stderr) ?? []
  if (ref === undefined) return null
  const what = other === undefined ? why : `${other} stands in the way`
  return { code: 'E_REF_IN_THE_WAY', message: `${ref} could not be written: ${what}` }
}

const CODES: readonly ErrorCode[] = ['E_GIT_FAILED', 'E_REF_LOCKED', 'E_REF_IN_THE_WAY']

/** Whether git itself could not do it, for whatever reason. */
export const isRefusedByGit = (error: unknown): error is AgencyError =>
  error instanceof AgencyError && CODES.includes(error.code)
