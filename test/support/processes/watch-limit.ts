// A host on a system that lets only so many directories be watched. It runs in a user namespace, which has a limit of
// its own.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratch } from '../git/repository.ts'
import { HOST_ENTRY } from './invocation.ts'

const LIMIT = '/proc/sys/user/max_inotify_watches'

/** False if this system lets us make no user namespace. */
export const canLimitWatches = (): boolean =>
  spawnSync('unshare', ['-U', '-r', 'sh', '-c', `echo 0 > ${LIMIT}`]).status === 0

/** Path of a program to boot as the host. */
export function hostThatWatchesAtMost(watches: number): string {
  const entry = join(makeScratch(), 'host.mjs')
  const script = `echo ${watches} > ${LIMIT}; exec "$0" "$1"`
  const args = ['-U', '-r', 'sh', '-c', script, process.execPath, HOST_ENTRY]
  writeFileSync(
    entry,
    `import { spawnSync } from 'node:child_process'
process.exit(spawnSync('unshare', ${JSON.stringify(args)}, { stdio: 'inherit' }).status ?? 1)
`,
  )
  return entry
}
