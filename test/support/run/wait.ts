// Waits for something to become true. What tells of itself, as an end does or a frame on a screen, is better waited for
// by that. Waiting for a length of time shows nothing beside a busy machine.

import { setTimeout as sleep } from 'node:timers/promises'

/** Throws after `patience` milliseconds, and says what never came. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { patience = 60_000, what = condition.toString() }: { patience?: number; what?: string } = {},
): Promise<void> {
  const deadline = Date.now() + patience
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${patience} ms in vain for: ${what}`)
    await sleep(5)
  }
}
