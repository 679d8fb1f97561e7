// Settings of V8 for a process that runs: a node that starts with any takes nothing of what it has compiled of its own
// modules, and compiles them again, while everybody waits.

import { keepsCode } from './load-program.ts'

/**
 * Bytes of bytecode that a function runs before V8 looks whether it is worth compiling. V8's own number, 67584, is for
 * programs that are busy: what a key passes through runs for microseconds, and would take minutes to be compiled.
 */
export const COMPILE_SOON = '--interrupt-budget=3000'

/**
 * Only such as V8 asks for while it works; others, as those of its threads, must not change while it runs (with
 * --single-threaded-gc a process never ends).
 */
export async function tuneV8(...settings: readonly string[]): Promise<void> {
  // What is compiled under other settings than those of the next start is of no use to it.
  if (keepsCode()) return
  const { setFlagsFromString } = await import('node:v8')
  for (const setting of settings) setFlagsFromString(setting)
}
