// One call is one child from its start to its end, all of its output in memory.

import type { OpenProcess, ProcessEnd, Spawner, SpawnLimits } from './spawner.ts'

export interface ProcessPlace {
  readonly spawner: Spawner
  readonly cwd: string
  /** All of it. */
  readonly env: Readonly<Record<string, string>>
}

export interface ProcessRequest extends ProcessPlace {
  /** /dev/null where it is missing. */
  readonly input?: string | Uint8Array | undefined
  readonly limits?: SpawnLimits | undefined
}

/** Resolves when it has ended and its output is read; never rejects. */
export function runProcess(
  file: string,
  args: readonly string[],
  { spawner, cwd, env, input, limits }: ProcessRequest,
): Promise<ProcessEnd> {
  const open = spawner({ file, args, cwd, env, detached: false, input: input !== undefined, limits })
  if (input !== undefined) open.end(input)
  return open.ended
}

/** Its standard input stays open, to be written to by whoever asked for it. `detached`: in a process group of its own. */
export const openProcess = (
  file: string,
  args: readonly string[],
  { spawner, cwd, env, detached }: ProcessPlace & { readonly detached: boolean },
): OpenProcess => spawner({ file, args, cwd, env, detached, input: true })
