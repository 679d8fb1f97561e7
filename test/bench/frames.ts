// Measures what a frame of the dashboard costs if every cell of its panes is new, and what a megabyte of output costs.

import { FRAME_MS } from '../../src/ui/screen/blessed/frame-pacer.ts'
import { Picture } from '../../src/ui/screen/blessed/picture.ts'
import { makeTheme } from '../../src/ui/screen/make-theme.ts'
import { openPane } from '../../src/ui/screen/pane/open-pane.ts'
import type { Pane } from '../../src/ui/screen/pane/pane.ts'
import type { SceneBox, Size } from '../../src/ui/screen/scene.ts'
import { type BenchRow, median, timed } from './bench.ts'

const ROUNDS = 60
const SIZES: readonly Size[] = [
  { columns: 200, rows: 60 },
  { columns: 400, rows: 100 },
]

export async function benchFrames(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of SIZES) {
    for (const count of [1, 4]) rows.push(await benchFrame(size, count))
  }
  rows.push(await benchMegabyte())
  return rows
}

/** Measures from cells to bytes, against the time that a frame may take at 60 a second. */
async function benchFrame(size: Size, count: number): Promise<BenchRow> {
  const boxes = boxesOf(size, count)
  const panes = new Map<string, Pane>()
  for (const { key, rect } of boxes) {
    panes.set(key, await openPane(key, { columns: rect.width, rows: rect.height }))
  }
  const picture = new Picture(size, makeTheme({ depth: 'true', background: 'dark', ascii: false }), panes)
  picture.show({ size, boxes, cursor: null })
  const costs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const pane of panes.values()) {
      fill(pane, round)
      picture.damage(pane.id)
    }
    costs.push(await timed(() => picture.draw(new Set())))
  }
  picture.dispose()
  const cost = median(costs)
  return {
    what: `a frame of ${size.columns}x${size.rows}, ${count} panes, all cells new`,
    ours: cost,
    reference_name: 'a frame at 60 a second',
    reference: FRAME_MS,
    unit: 'ms',
    target: 'under one frame',
    met: cost < FRAME_MS,
  }
}

async function benchMegabyte(): Promise<BenchRow> {
  const pane = await openPane('bench', { columns: 120, rows: 40 })
  const line = Buffer.from(`\x1b[32m${'word '.repeat(20)}\x1b[m\r\n`)
  const bytes = Buffer.concat(Array.from({ length: Math.ceil(1e6 / line.length) }, () => line))
  const costs: number[] = []
  for (let round = 0; round < 7; round++) costs.push(await timed(() => pane.write(bytes)))
  return {
    what: 'a megabyte written into a pane at once',
    ours: median(costs),
    reference_name: 'a frame at 60 a second',
    reference: FRAME_MS,
    unit: 'ms',
    target: 'ratio',
    met: null,
  }
}

function boxesOf(size: Size, count: number): SceneBox[] {
  const across = Math.sqrt(count)
  const [width, height] = [Math.floor(size.columns / across), Math.floor(size.rows / across)]
  return Array.from({ length: count }, (_, index) => ({
    key: `pane ${index}`,
    rect: { x: (index % across) * width, y: Math.floor(index / across) * height, width, height },
    border: null,
    body: { kind: 'pane', pane: `pane ${index}` },
  }))
}

function fill(pane: Pane, round: number): void {
  const { columns, rows } = pane.size
  const text = Array.from({ length: rows }, (_, y) => {
    const colour = `\x1b[38;2;${(y * 7 + round) % 256};${(round * 11) % 256};90m`
    return `\x1b[${y + 1};1H${colour}${String.fromCharCode(97 + ((round + y) % 26)).repeat(columns)}`
  })
  pane.write(Buffer.from(text.join('')))
}
