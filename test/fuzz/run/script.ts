// Runs the script of a person, and says how an agent's is to be run.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CasePlace } from './place.ts'
import { runWatched, type Watched } from './watched.ts'

export interface Script {
  readonly name: string
  readonly script: string
  /** Programs that are planted do nothing if it is set. */
  readonly actor: 'agent' | 'person'
}

/** The words that a shell runs it by. It writes a file when its deeds are done. */
export function writeScript({ dir, out, here }: CasePlace, { name, script, actor }: Script): string {
  const path = join(dir, `script-${name}.sh`)
  const head = `OUT='${out}' LOG='${join(dir, 'log')}' HERE='${here}' ACTOR=${actor}\nexport OUT LOG HERE ACTOR\n`
  writeFileSync(path, `${head}${script}`)
  return `env -u LD_PRELOAD -u NODE_OPTIONS -u FUZZ_STATE sh '${path}'`
}

/** Two minutes are enough for what a person does; what takes longer waits for something that an agent has left. */
export function runScript(place: CasePlace, script: Script & { readonly cwd: string }): Promise<Watched> {
  const env = { ...place.env }
  return runWatched({ file: 'sh', args: ['-c', writeScript(place, script)], cwd: script.cwd, env })
}
