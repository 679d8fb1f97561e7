import type { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { openEmulator } from '../../../../src/core/emulator/open-emulator.ts'
import { insidesOf } from '../../../../src/core/emulator/xterm-insides.ts'
import { openPane } from '../../../../src/ui/screen/pane/open-pane.ts'
import type { Pane } from '../../../../src/ui/screen/pane/pane.ts'
import {
  innerRect,
  type Rect,
  type Scene,
  type SceneBox,
  type Size,
} from '../../../../src/ui/screen/scene.ts'
import { sample } from '../../../support/run/sampled.ts'
import { wrongCells } from '../../../support/terminal/cell-looks.ts'
import { openStage, RECORDED_STREAMS, readStream, type Stage } from '../../../support/terminal/stage.ts'
import { SYNTHETIC_STREAMS } from '../../../support/terminal/synthetic-streams.ts'

const CHECKPOINTS = 12
const AT = { x: 12, y: 3 }
const AROUND = { columns: 7, rows: 4 }

interface Watched {
  readonly pane: Pane
  readonly witness: Terminal
  readonly rect: Rect
}

async function watch(id: string, rect: Rect): Promise<Watched> {
  const { width, height } = innerRect(rect)
  const size = { columns: width, rows: height }
  return { pane: await openPane(id, size), witness: await openEmulator(size, { scrollback: 2000 }), rect }
}

const paneBox = ({ pane, rect }: Watched): SceneBox => ({
  key: pane.id,
  rect,
  border: { title: pane.id, focused: false },
  body: { kind: 'pane', pane: pane.id },
})

const popup = (rect: Rect): SceneBox => ({
  key: 'popup',
  rect,
  border: { title: 'popup 漢', focused: true },
  body: { kind: 'rows', rows: [{ line: '漢字 over it 👩‍💻' }] },
})

function sceneOf(size: Size, watched: readonly Watched[], above: readonly SceneBox[] = []): Scene {
  const [first] = watched
  const cursor = first === undefined ? null : ({ kind: 'pane', pane: first.pane.id } as const)
  return { size, boxes: [...watched.map(paneBox), ...above], cursor }
}

function feed(stage: Stage, { pane, witness }: Watched, bytes: Uint8Array): void {
  stage.canvas.expectEcho(pane.id)
  pane.write(bytes)
  insidesOf(witness).writeSync(bytes)
}

function wrongOf({ outer }: Stage, { witness, rect }: Watched, covered: readonly Rect[] = []): string[] {
  return wrongCells({ inner: witness, outer, place: innerRect(rect), covered })
}

/** The cursor must be at its place in the pane, or hidden. */
function wrongCursor({ outer }: Stage, { witness, rect }: Watched): string[] {
  const hidden = insidesOf(witness).coreService.isCursorHidden
  if (hidden !== insidesOf(outer).coreService.isCursorHidden) return [`cursor should be hidden: ${hidden}`]
  const { cursorX, cursorY } = witness.buffer.active
  const should = [rect.x + 1 + Math.min(cursorX, witness.cols - 1), rect.y + 1 + cursorY]
  const is = [outer.buffer.active.cursorX, outer.buffer.active.cursorY]
  return hidden || String(is) === String(should) ? [] : [`cursor is at ${is}, should be at ${should}`]
}

/**
 * Feeds the stream in pieces, wherever they break. After each the outer screen must become the inner one, unless that
 * is in the middle of a frame.
 */
async function replay(stage: Stage, watched: Watched, bytes: Buffer): Promise<void> {
  const step = Math.max(1, Math.ceil(bytes.length / CHECKPOINTS))
  for (let at = 0; at < bytes.length; at += step) {
    feed(stage, watched, bytes.subarray(at, at + step))
    if (watched.witness.modes.synchronizedOutputMode) continue
    const wrong = (): string[] => [...wrongOf(stage, watched), ...wrongCursor(stage, watched)]
    await stage.until(() => wrong().length === 0)
    expect(wrong()).toEqual([])
  }
}

const STREAMS: ReadonlyArray<readonly [name: string, size: Size, read: () => Buffer]> = [
  ...Object.entries(RECORDED_STREAMS).map(([name, size]) => [name, size, () => readStream(name)] as const),
  ...Object.entries(SYNTHETIC_STREAMS).map(
    ([name, text]) => [name, { columns: 100, rows: 30 }, () => Buffer.from(text)] as const,
  ),
]

sample(test).each(STREAMS)(
  '%s: the outer screen shows the inner one, cell by cell',
  async (name, size, read) => {
    const outerSize = {
      columns: size.columns + 2 + AT.x + AROUND.columns,
      rows: size.rows + 2 + AT.y + AROUND.rows,
    }
    const stage = await openStage(outerSize)
    const watched = await watch(name, { ...AT, width: size.columns + 2, height: size.rows + 2 })
    stage.canvas.addPane(watched.pane)
    stage.canvas.show(sceneOf(outerSize, [watched]))
    await replay(stage, watched, read())
    expect(watched.witness.buffer.active.length).toBeGreaterThan(0)
  },
)

const POPUP: Rect = { x: 20, y: 5, width: 31, height: 7 }

function tiles(size: Size, count: number): Rect[] {
  const [across, down] = count === 4 ? [2, 2] : [count, 1]
  const [width, height] = [Math.floor(size.columns / across), Math.floor(size.rows / down)]
  return Array.from({ length: count }, (_, index) => ({
    x: (index % across) * width,
    y: Math.floor(index / across) * height,
    width,
    height,
  }))
}

function place(watched: readonly Watched[], rects: readonly Rect[]): Watched[] {
  return watched.map(({ pane, witness }, index) => {
    const rect = rects[index] ?? { x: 0, y: 0, width: 3, height: 3 }
    const { width, height } = innerRect(rect)
    pane.resize({ columns: width, rows: height })
    witness.resize(width, height)
    return { pane, witness, rect }
  })
}

const SIZES: readonly Size[] = [
  { columns: 120, rows: 40 },
  { columns: 81, rows: 25 },
  { columns: 160, rows: 31 },
  { columns: 60, rows: 17 },
]

test.each([1, 2, 4])('%i panes at once, under a popup, through three resizes', async (count) => {
  const [size = { columns: 80, rows: 24 }] = SIZES
  const stage = await openStage(size)
  let watched = await Promise.all(tiles(size, count).map((rect, index) => watch(`pane ${index}`, rect)))
  for (const { pane } of watched) stage.canvas.addPane(pane)
  const streams = [...STREAMS.slice(0, count - 1), ...STREAMS.slice(-1)].map(([, , read]) => read())
  for (const [index, next] of SIZES.entries()) {
    if (index > 0) stage.resize(next)
    watched = place(watched, tiles(next, count))
    const above = index % 2 === 0 ? [popup(POPUP)] : []
    stage.canvas.show(sceneOf(next, watched, above))
    for (const [at, one] of watched.entries()) {
      const bytes = streams[at] ?? Buffer.alloc(0)
      const quarter = Math.ceil(bytes.length / SIZES.length)
      feed(stage, one, bytes.subarray(index * quarter, (index + 1) * quarter))
    }
    const covered = above.map(({ rect }) => rect)
    const steady = watched.filter(({ witness }) => !witness.modes.synchronizedOutputMode)
    const wrong = (): string[] => steady.flatMap((one) => wrongOf(stage, one, covered))
    await stage.until(() => wrong().length === 0)
    expect(wrong()).toEqual([])
  }
})
