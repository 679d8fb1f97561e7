// Invocations for somebody who asks every few seconds: a record is parsed again only if its file has changed.

import { stampOf } from '../../doors/system/file-stamp.ts'
import type { InvocationId } from '../../model/ids.ts'
import { type BrokenInvocation, type InvocationRecord, isClosed } from '../../model/invocation.ts'
import { isBroken } from '../../store/invocations.ts'
import type { RepoPaths } from '../../store/paths.ts'
import { findMissingSandbox, inspectInvocation } from './known-invocations.ts'

/** null if there is neither a record nor a sandbox. */
export type InspectInvocation = (id: InvocationId) => InvocationRecord | BrokenInvocation | null

interface Remembered {
  readonly stamp: string
  readonly record: InvocationRecord
}

export function rememberInvocations(paths: RepoPaths): InspectInvocation {
  const remembered = new Map<InvocationId, Remembered>()
  return (id) => {
    // Stamped before it is read, so that a write in between is seen the next time.
    const stamp = stampOf(paths.invocation(id).meta)
    const before = remembered.get(id)
    if (before?.stamp === stamp) return findMissingSandbox(before.record) ?? before.record
    remembered.delete(id)
    const found = inspectInvocation(paths, id)
    // Closed ones are not remembered: there are many, and nobody asks for them again and again.
    if (found !== null && !isBroken(found) && !isClosed(found)) remembered.set(id, { stamp, record: found })
    return found
  }
}
