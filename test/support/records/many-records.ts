// A repository in which thousands of agents have worked: copies of one real record, under ids of their own.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { showPath } from '../../../src/core/model/sandbox-path.ts'
import type { Desk } from '../processes/cli.ts'

/** Adds landed invocations whose sandboxes are gone. Returns their ids, oldest first. */
export function addLanded(desk: Desk, record: InvocationRecord, count: number): string[] {
  const [repo = ''] = readdirSync(join(desk.dataDir, 'repos'))
  const invocations = join(desk.dataDir, 'repos', repo, 'invocations')
  const text = readFileSync(join(invocations, record.invocation_id, 'meta.json'), 'utf8')
  return Array.from({ length: count }, (_, number) => {
    const id = `${20200101000000 + number}-${number.toString(16).padStart(4, '0')}`
    const sandbox = join(
      dirname(dirname(showPath(record.sandbox_path))),
      id,
      basename(showPath(record.sandbox_path)),
    )
    const copy = {
      ...JSON.parse(text),
      invocation_id: id,
      sandbox_path: sandbox,
      sandbox_branch: `agency/sandbox-${id}`,
      landing_status: 'landed',
    }
    mkdirSync(join(invocations, id))
    writeFileSync(join(invocations, id, 'meta.json'), `${JSON.stringify(copy, null, 2)}\n`, { mode: 0o600 })
    return id
  })
}
