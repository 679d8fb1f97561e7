// Keeps a host small. Only once its runner runs: a node that starts with any setting of V8's takes nothing of what it
// has compiled of its own modules, and compiles them again, while everybody waits.

import { keepsCode } from '../../core/effects/load-program.ts'

/**
 * Collect early instead of growing: there is a host for every invocation. V8 asks for both at each collection; others, as
 * those of its threads, must not change while it runs (with --single-threaded-gc a process never ends).
 */
const V8_SETTINGS = ['--optimize-for-size', '--semi-space-growth-factor=1']

export async function keepHeapSmall(): Promise<void> {
  // What is compiled under other settings than those of the next start is of no use to it.
  if (keepsCode()) return
  const { setFlagsFromString } = await import('node:v8')
  for (const setting of V8_SETTINGS) setFlagsFromString(setting)
}
