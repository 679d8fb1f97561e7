// The ledger of invocations for someone who asks every few seconds: a record is parsed again only where its file is
// another one than before.

import { existsSync } from 'node:fs'
import { stampOf } from '../doors/system/file-stamp.ts'
import type { InvocationId } from '../model/ids.ts'
import { type BrokenInvocation, type InvocationRecord, isClosed } from '../model/invocation.ts'
import { inspectInvocation, isBroken } from './invocations.ts'
import type { RepoPaths } from './paths.ts'

/** null where there is neither a record nor a sandbox tree. */
export type InspectInvocation = (id: InvocationId) => InvocationRecord | BrokenInvocation | null

interface Remembered {
  readonly stamp: string
  readonly record: InvocationRecord
}

export function rememberInvocations(paths: RepoPaths): InspectInvocation {
  const remembered = new Map<InvocationId, Remembered>()
  return (id) => {
    // Before it is read: what is written meanwhile is seen the next time.
    const stamp = stampOf(paths.invocation(id).meta)
    const before = remembered.get(id)
    if (before?.stamp === stamp && existsSync(before.record.sandbox_path)) return before.record
    remembered.delete(id)
    const found = inspectInvocation(paths, id)
    // The closed ones are most in the end, and nobody asks for them again and again.
    if (found !== null && !isBroken(found) && !isClosed(found)) remembered.set(id, { stamp, record: found })
    return found
  }
}
