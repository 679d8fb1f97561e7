// Which paths git ignores.

import { rawFields, rawInput } from '../../model/raw-bytes.ts'
import type { Git } from '../effects.ts'

/** Of these raw paths; null where git could not say. */
export async function selectIgnored(git: Git, paths: readonly string[]): Promise<ReadonlySet<string> | null> {
  if (paths.length === 0) return new Set()
  // git refuses to take these literally; behind `./` a name that begins with a colon means itself all the same.
  const input = rawInput(paths.map((path) => `./${path}`))
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin']
  const asked = await git.run(args, { input, answers: [1, 128] })
  if (asked.exitCode === 128) return null
  return new Set(rawFields(asked.stdout).map((path) => path.slice(2)))
}
