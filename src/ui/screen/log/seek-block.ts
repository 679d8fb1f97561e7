// Finds the next block that a filter passes: it may be one in a hundred thousand, and every frame looks for it.

import { type Block, showsIn } from './block.ts'
import type { LogFilter } from './log-state.ts'

export interface Seeking {
  readonly filter: LogFilter
  /** Where to begin; it may be a block before the first or behind the last. */
  readonly at: number
  readonly step: 1 | -1
}

/** The index of the nearest that is shown, `at` included; null where there is none on that side. */
export function seekBlock(blocks: readonly Block[], { filter, at, step }: Seeking): number | null {
  const shown = shownIndexes(blocks, filter)
  let low = 0
  let high = shown.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shown[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  if (step > 0 || shown[low] === at) return shown[low] ?? null
  return shown[low - 1] ?? null
}

/** A batch makes a new array, so an old answer never outlives what it is of. */
const rememberedIndexes = new WeakMap<
  readonly Block[],
  { readonly filter: LogFilter; readonly shown: Int32Array }
>()

function shownIndexes(blocks: readonly Block[], filter: LogFilter): Int32Array {
  const known = rememberedIndexes.get(blocks)
  if (known?.filter === filter) return known.shown
  const shown = new Int32Array(blocks.length)
  let count = 0
  for (const [index, block] of blocks.entries()) {
    if (!showsIn(block, filter)) continue
    shown[count] = index
    count += 1
  }
  const kept = shown.subarray(0, count)
  rememberedIndexes.set(blocks, { filter, shown: kept })
  return kept
}
