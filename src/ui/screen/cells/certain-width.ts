// Which characters have the same width in every terminal. After any other one, the cursor may be somewhere else than we
// think, and more cells than ours may have been overwritten.

import { widthOfContent } from './cell.ts'

/** Up to here in blocks of 256 code points, because it is looked up for every character that is drawn. */
const NARROW = new Uint8Array(0x3000)
markNarrow(0x20, 0x7e)
markNarrow(0xa1, 0xac)
markNarrow(0xae, 0x2ff)
markNarrow(0x370, 0x482)
markNarrow(0x48a, 0x52f)
markNarrow(0x2010, 0x2027)
markNarrow(0x2030, 0x205e)
markNarrow(0x2500, 0x259f)
markNarrow(0x2800, 0x28ff)

const WIDE: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x3041, 0x3096],
  [0x30a1, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xff60],
]

export function isCertain(code: number, content: number): boolean {
  if (code < NARROW.length) return NARROW[code] === 1 && widthOfContent(content) === 1
  return widthOfContent(content) === 2 && WIDE.some(([from, to]) => code >= from && code <= to)
}

/** The most cells that a terminal may use for it: each code point by itself, and wide. */
export function longestReach(cluster: string): number {
  let points = 0
  for (const _ of cluster) points++
  return points * 2
}

function markNarrow(from: number, to: number): void {
  NARROW.fill(1, from, to + 1)
}
