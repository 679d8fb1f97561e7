// A life's worth of records that nobody works on any more.

import { mkdirSync, writeFileSync } from 'node:fs'
import { type InvocationId, parseInvocationId } from '../../../src/core/model/ids.ts'
import type { Repository } from '../../../src/core/store/repository.ts'
import { invocationRecord } from './records.ts'

/** Writes records of landed invocations, and nothing else of these. */
export function writeClosed({ paths }: Pick<Repository, 'paths'>, count: number): InvocationId[] {
  return Array.from({ length: count }, (_, n) => {
    const id = parseInvocationId(`20250101${String(n).padStart(6, '0')}-${n.toString(16).padStart(4, '0')}`)
    const at = paths.invocation(id)
    const record = invocationRecord({
      invocation_id: id,
      sandbox_path: at.tree,
      sandbox_branch: `agency/sandbox-${id}`,
      status: 'finished',
      landing_status: 'landed',
    })
    mkdirSync(at.dir, { recursive: true })
    writeFileSync(at.meta, `${JSON.stringify(record, null, 2)}\n`)
    return id
  })
}
