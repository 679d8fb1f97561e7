// Each call starts one child. Its output is kept in memory until it ends.

import { awaitWorking, type Patience } from '../system/idle-watch.ts'
import type { OpenProcess, ProcessEnd, Spawner, SpawnLimits } from './spawner.ts'

export interface ProcessPlace {
  readonly spawner: Spawner
  readonly cwd: string
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string>>
}

export interface ProcessRequest extends ProcessPlace {
  /** If it is missing, the child reads /dev/null. */
  readonly input?: string | Uint8Array | undefined
  readonly limits?: SpawnLimits | undefined
  /** If it does nothing for longer, it is ended. For ever where it is missing. */
  readonly patience?: Patience
}

/** Resolves when the child has ended and its output is read. Never rejects. */
export function runProcess(
  file: string,
  args: readonly string[],
  { spawner, cwd, env, input, limits, patience }: ProcessRequest,
): Promise<ProcessEnd> {
  const open = spawner({ file, args, cwd, env, detached: false, input: input !== undefined, limits })
  if (input !== undefined) open.end(input)
  return patience === undefined ? open.ended : awaitWorking(open, patience)
}

/** The child's standard input stays open for the caller. `detached` gives it a process group of its own. */
export const openProcess = (
  file: string,
  args: readonly string[],
  { spawner, cwd, env, detached }: ProcessPlace & { readonly detached: boolean },
): OpenProcess => spawner({ file, args, cwd, env, detached, input: true })
