import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { makeInvocation } from '../../../support/processes/invocation.ts'
import { waitUntil } from '../../../support/run/wait.ts'

/** MB of memory that the machine would get back if the process ended. */
function privateMemory(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, count]) => count)
  return kilobytes.reduce((sum, count) => sum + Number(count), 0) / 1024
}

for (const mode of ['headless', 'headed'] as const) {
  test.skipIf(process.platform !== 'linux')(
    `a ${mode} host takes at most 20 MB of its own after 15 MB of output`,
    async () => {
      const run = await makeInvocation()
      await run.launch('head -c 11800000 /dev/urandom | base64; touch done; sleep 100', { mode })
      await waitUntil(() => existsSync(join(showPath(run.at.tree), 'done')))
      const log = mode === 'headed' ? 'cast' : 'raw'
      await waitUntil(() => run.log(log).length > 15_000_000)
      // What the flood leaves behind is given back by a collection that comes a moment later.
      await expect.poll(() => privateMemory(run.pid())).toBeLessThan(20)
    },
  )
}
