// A scene as cells: who owns each cell, what its owner has to show there, and the bytes that bring the terminal to it.
// A pane that changes costs its own rows only: the boxes and their places are kept from scene to scene.

import { BoxCells } from '../cells/box-cells.ts'
import { type CellSource, fillBlank, mendHalves, WORDS } from '../cells/cell.ts'
import { CellTables } from '../cells/cell-tables.ts'
import { Compositor } from '../cells/compositor.ts'
import { Palette } from '../cells/palette.ts'
import { reduceRow } from '../cells/reduce-cells.ts'
import { sameBox, sameRect } from '../cells/same-box.ts'
import type { Pane } from '../pane/pane.ts'
import { type Box, innerRect, type Rect, type Scene, type Size } from '../scene.ts'
import type { ScreenTheme } from '../screen-theme.ts'
import { type CursorState, HIDDEN_CURSOR } from './cursor.ts'
import { ElementTree, type Owners } from './element-tree.ts'

interface Painted {
  readonly box: Box
  readonly cells: BoxCells
}

/** Something on the screen that has cells: a box of ours, or the terminal of a pane. */
interface Surface {
  readonly key: string
  readonly rect: Rect
  readonly source: CellSource | null
  readonly pane: string | null
}

export interface Drawn {
  readonly cells: string
  /** null: it stays as it is. */
  readonly cursor: CursorState | null
}

const NOTHING: ReadonlySet<string> = new Set()

export class Picture {
  readonly #panes: ReadonlyMap<string, Pane>
  readonly #tables = new CellTables()
  readonly #tree: ElementTree
  #size: Size
  #palette: Palette
  #theme: ScreenTheme
  #compositor: Compositor
  #next: Uint32Array
  #dirty: Uint8Array
  #scene: Scene | null = null
  #painted = new Map<string, Painted>()
  #surfaces: readonly Surface[] = []
  #owners: readonly Owners[] = []
  /** The surfaces lie where they lay in the last frame, so that what was shown of them is still in its place. */
  #settled = false

  constructor(size: Size, theme: ScreenTheme, panes: ReadonlyMap<string, Pane>) {
    this.#panes = panes
    this.#size = size
    this.#theme = theme
    this.#palette = new Palette(theme)
    this.#tree = new ElementTree(size)
    this.#compositor = new Compositor(size, this.#tables)
    this.#next = new Uint32Array(size.columns * WORDS)
    this.#dirty = new Uint8Array(size.rows).fill(1)
  }

  /** Costs what differs from the scene before. */
  show(scene: Scene): void {
    this.#scene = scene
    const before = this.#painted
    this.#painted = new Map(scene.boxes.map((box) => [box.key, this.#paint(box, before.get(box.key))]))
    const surfaces = [...this.#painted.values()].flatMap(surfacesOf)
    if (!samePlaces(surfaces, this.#surfaces)) {
      this.#settled = false
      this.#owners = this.#tree.arrange(surfaces)
    }
    this.#surfaces = surfaces
    if (this.#settled) {
      for (const [key, painted] of this.#painted)
        if (painted !== before.get(key)) this.#soil(painted.box.rect)
    } else this.#dirty.fill(1)
  }

  resize(size: Size): void {
    this.#size = size
    this.#tree.resize(size)
    this.#next = new Uint32Array(size.columns * WORDS)
    this.#dirty = new Uint8Array(size.rows)
    this.#surfaces = []
    this.#settled = false
  }

  setTheme(theme: ScreenTheme): void {
    this.#theme = theme
    this.#palette = new Palette(theme)
    this.#paintAgain()
  }

  /** Nothing is known any more of what the terminal shows; the next frame clears it. */
  startOver(): void {
    this.#compositor = new Compositor(this.#size, this.#tables)
    this.#compositor.clear()
    this.#settled = false
    this.#showAgain()
  }

  shows(pane: string): boolean {
    return this.#surfaces.some((surface) => surface.pane === pane)
  }

  damage(pane: string): void {
    for (const { rect, pane: shown } of this.#surfaces) if (shown === pane) this.#soil(rect)
  }

  /** What brings the terminal to the scene; panes that are held keep what they show where they can. */
  draw(held: ReadonlySet<string>): Drawn {
    if (this.#tables.full) this.#emptyTables()
    const keep = this.#settled ? held : NOTHING
    for (let y = 0; y < this.#size.rows; y++) {
      if (this.#dirty[y] === 0) continue
      this.#composeRow(y, keep)
      reduceRow(this.#next, this.#theme, this.#tables)
      this.#compositor.drawRow(y, this.#next)
      this.#dirty[y] = 0
    }
    this.#settled = true
    return { cells: this.#compositor.take(), cursor: this.#cursor(keep) }
  }

  dispose(): void {
    this.#tree.dispose()
  }

  #paint(box: Box, before: Painted | undefined): Painted {
    if (before !== undefined && sameBox(before.box, box)) return before
    return { box, cells: new BoxCells(box, this.#palette, this.#tables) }
  }

  #soil({ y, height }: Rect): void {
    this.#dirty.fill(1, Math.max(0, y), Math.max(0, y + height))
  }

  #paintAgain(): void {
    this.#painted.clear()
    this.#showAgain()
  }

  #showAgain(): void {
    if (this.#scene !== null) this.show(this.#scene)
  }

  #cursor(held: ReadonlySet<string>): CursorState | null {
    const wanted = this.#scene?.cursor ?? null
    if (wanted === null) return HIDDEN_CURSOR
    if (wanted.kind === 'pane') return held.has(wanted.pane) ? null : this.#paneCursor(wanted.pane)
    const { x, y } = wanted.point
    const visible = x >= 0 && y >= 0 && x < this.#size.columns && y < this.#size.rows
    return visible ? { visible, x, y, shape: 0 } : HIDDEN_CURSOR
  }

  /** Only where the program's own cursor is inside of the place, and nothing lies over it. */
  #paneCursor(id: string): CursorState {
    const index = this.#surfaces.findLastIndex(({ pane }) => pane === id)
    const rect = this.#surfaces[index]?.rect
    const cursor = this.#panes.get(id)?.view.cursor
    if (rect === undefined || cursor === undefined || cursor === null) return HIDDEN_CURSOR
    const [x, y] = [rect.x + cursor.x, rect.y + cursor.y]
    if (this.#owners[y]?.[x] !== index + 1) return HIDDEN_CURSOR
    return { visible: true, x, y, shape: cursor.shape }
  }

  #composeRow(y: number, held: ReadonlySet<string>): void {
    const owners = this.#owners[y]
    const columns = this.#size.columns
    if (owners === undefined) {
      fillBlank(this.#next, 0, columns)
      return
    }
    for (let x = 0; x < columns; ) {
      const owner = owners[x] ?? 0
      let end = x + 1
      while (end < columns && owners[end] === owner) end++
      this.#composeRun(this.#surfaces[owner - 1], { x, y, count: end - x }, held)
      mendHalves(this.#next, x, end - x)
      x = end
    }
  }

  #composeRun(surface: Surface | undefined, run: Run, held: ReadonlySet<string>): void {
    const { x, y, count } = run
    if (typeof surface?.pane === 'string' && held.has(surface.pane)) {
      this.#compositor.copyShown(y, x, { words: this.#next, count })
      return
    }
    const source = surface?.source ?? this.#panes.get(surface?.pane ?? '')?.view
    if (surface === undefined || source === undefined) {
      fillBlank(this.#next, x, count)
      return
    }
    const span = { row: y - surface.rect.y, column: x - surface.rect.x, count }
    source.copyCells(span, { words: this.#next, at: x, tables: this.#tables })
  }

  #emptyTables(): void {
    this.#tables.clear()
    this.#compositor = new Compositor(this.#size, this.#tables)
    this.#settled = false
    this.#paintAgain()
  }
}

interface Run {
  readonly x: number
  readonly y: number
  readonly count: number
}

function surfacesOf({ box, cells }: Painted): Surface[] {
  const own = { key: box.key, rect: box.rect, source: cells, pane: null }
  if (box.body.kind === 'rows') return [own]
  const rect = box.border === null ? box.rect : innerRect(box.rect)
  return [own, { key: `${box.key}\0pane`, rect, source: null, pane: box.body.pane }]
}

const samePlaces = (a: readonly Surface[], b: readonly Surface[]): boolean =>
  a.length === b.length &&
  a.every((surface, index) => {
    const other = b[index]
    return (
      other !== undefined &&
      surface.pane === other.pane &&
      surface.key === other.key &&
      sameRect(surface.rect, other.rect)
    )
  })
