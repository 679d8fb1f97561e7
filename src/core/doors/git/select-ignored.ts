// Which paths git ignores.

import { rawFields, rawInput } from '../../model/raw-bytes.ts'
import type { Git } from '../effects.ts'

/** Which of these raw paths git ignores; null where git could not say. */
export async function selectIgnored(git: Git, paths: readonly string[]): Promise<ReadonlySet<string> | null> {
  if (paths.length === 0) return new Set()
  // check-ignore does not take literal pathspecs. Behind `./` a name that begins with a colon still means itself.
  const input = rawInput(paths.map((path) => `./${path}`))
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin']
  const asked = await git.run(args, { input, answers: [1, 128] })
  if (asked.exitCode === 128) return null
  return new Set(rawFields(asked.stdout).map((path) => path.slice(2)))
}
