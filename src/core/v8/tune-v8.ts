// Changes settings of V8 in a running process. They cannot be given at the start: a node that starts with any compiles
// its own modules anew instead of using what is kept of them, while the person waits.

import { keepsCode } from './load-program.ts'

/**
 * Bytes of bytecode that a function runs before V8 considers compiling it. V8's default, 67584, suits busy programs.
 * Handling a key takes microseconds, so by that it would take minutes until its code were compiled.
 */
export const COMPILE_SOON = '--interrupt-budget=3000'

/**
 * Only settings that V8 reads while it works. Others, as those of its threads, must not change while it runs: with
 * --single-threaded-gc a process never ends.
 */
export async function tuneV8(...settings: readonly string[]): Promise<void> {
  // Code that was compiled under other settings than the next start has would not be used by it.
  if (keepsCode()) return
  const { setFlagsFromString } = await import('node:v8')
  for (const setting of settings) setFlagsFromString(setting)
}
