// Where everything stands: pure arithmetic from the size of the terminal and what the stage is to show. The tree is
// always there, but where one pane was given the whole of a narrow screen.

import type { Rect, Size } from './scene.ts'

/** Below it there is a sentence instead of a dashboard. */
export const LEAST_SIZE: Size = { columns: 60, rows: 15 }
/** From here on a zoomed pane leaves the tree its place. */
const WIDE = 120
/** A stage of this width has room for two terminals side by side. */
const TWO_ABREAST = 150

export interface ScreenLayout {
  /** null where a zoomed pane has taken its place. */
  readonly tree: Rect | null
  /** null where the tree is hidden, or the screen too low for it. */
  readonly detail: Rect | null
  /** One for each slot of the stage, left to right and top to bottom. Those below another share its lower border. */
  readonly slots: readonly Slot[]
  readonly footer: Rect
}

export interface Slot {
  readonly rect: Rect
  readonly joinsAbove: boolean
}

export interface StageShape {
  /** How many slots are filled. */
  readonly count: number
  readonly zoomed: boolean
}

export const isTooSmall = ({ columns, rows }: Size): boolean =>
  columns < LEAST_SIZE.columns || rows < LEAST_SIZE.rows

export function layOut(size: Size, stage: StageShape): ScreenLayout {
  const { columns, rows } = size
  const height = rows - 1
  const footer = { x: 0, y: height, width: columns, height: 1 }
  const alone = stage.zoomed && columns < WIDE
  const treeWidth = alone ? 0 : sidebarWidth(columns)
  const detailHeight = alone ? 0 : heightOfDetail(height)
  return {
    tree: alone ? null : { x: 0, y: 0, width: treeWidth, height: height - Math.max(0, detailHeight - 1) },
    detail:
      detailHeight === 0 ? null : { x: 0, y: height - detailHeight, width: treeWidth, height: detailHeight },
    slots: tile({ x: treeWidth, y: 0, width: columns - treeWidth, height }, stage),
    footer,
  }
}

const sidebarWidth = (columns: number): number => Math.max(30, Math.min(46, Math.round(columns * 0.3)))

const heightOfDetail = (height: number): number => (height < 20 ? 0 : Math.min(13, Math.floor(height * 0.36)))

/** One; two above each other or, where there is room, abreast; three and four in two rows. */
function tile(area: Rect, { count, zoomed }: StageShape): Slot[] {
  if (zoomed || count <= 1) return [{ rect: area, joinsAbove: false }]
  const [upper, lower] = halves(area)
  if (count === 2 && area.width < TWO_ABREAST) {
    return [
      { rect: upper, joinsAbove: false },
      { rect: lower, joinsAbove: true },
    ]
  }
  if (count === 2) return abreast(area, false)
  return [
    ...abreast(upper, false),
    ...(count === 3 ? [{ rect: lower, joinsAbove: true }] : abreast(lower, true)),
  ]
}

/** They share one line, which is the border of both. */
function halves({ x, y, width, height }: Rect): [Rect, Rect] {
  const upper = Math.ceil((height + 1) / 2)
  return [
    { x, y, width, height: upper },
    { x, y: y + upper - 1, width, height: height - upper + 1 },
  ]
}

function abreast({ x, y, width, height }: Rect, joinsAbove: boolean): Slot[] {
  const left = Math.ceil(width / 2)
  return [
    { rect: { x, y, width: left, height }, joinsAbove },
    { rect: { x: x + left, y, width: width - left, height }, joinsAbove },
  ]
}
