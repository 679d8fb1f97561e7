// A scene as cells: who owns each cell, what the owner shows there, and the bytes that change the terminal accordingly.
// If a pane changes, only its own rows cost anything, because boxes and their places are kept from scene to scene.

import { BoxCells } from '../cells/box-cells.ts'
import { CELL_WORDS, type CellSource, fillBlank, mendHalves } from '../cells/cell.ts'
import { CellTables } from '../cells/cell-tables.ts'
import { CellTheme } from '../cells/cell-theme.ts'
import { Compositor, type RowPart } from '../cells/compositor.ts'
import { reduceRow, reduces } from '../cells/reduce-cells.ts'
import { differingRows, sameBox, sameRect } from '../cells/same-box.ts'
import type { Pane, RowRange } from '../pane/pane.ts'
import { innerRect, type Rect, type Scene, type SceneBox, type Size } from '../scene.ts'
import type { ScreenTheme } from '../screen-theme.ts'
import { type CursorState, HIDDEN_CURSOR } from './cursor.ts'
import { Damage } from './damage.ts'
import { ElementTree, type Owners } from './element-tree.ts'

interface Painted {
  readonly box: SceneBox
  readonly cells: BoxCells
}

/**
 * Neighbouring cells of a row with the same owner: 0 for nobody, otherwise the number of its surface, counted from 1.
 */
interface PictureRun {
  readonly from: number
  readonly to: number
  readonly owner: number
}

/** Something on the screen that has cells: a box of ours, or a pane's terminal. */
interface Surface {
  readonly key: string
  readonly rect: Rect
  readonly source: CellSource | null
  readonly pane: string | null
}

export interface Drawn {
  readonly cells: string
  /** null: the cursor stays as it is. */
  readonly cursor: CursorState | null
}

const NOTHING: ReadonlySet<string> = new Set()

export class Picture {
  readonly #panes: ReadonlyMap<string, Pane>
  readonly #tables = new CellTables()
  readonly #tree: ElementTree
  #size: Size
  #palette: CellTheme
  #theme: ScreenTheme
  #compositor: Compositor
  /** The whole screen as it should be. Where nothing is damaged, the terminal shows it already. */
  #grid: Uint32Array
  #damage: Damage
  #scene: Scene | null = null
  #painted = new Map<string, Painted>()
  #surfaces: readonly Surface[] = []
  #owners: readonly Owners[] = []
  /** For each row. */
  #runs: readonly (readonly PictureRun[])[] = []
  /** The surfaces are where they were in the last frame, so what was shown of them is still in place. */
  #settled = false

  constructor(size: Size, theme: ScreenTheme, panes: ReadonlyMap<string, Pane>) {
    this.#panes = panes
    this.#size = size
    this.#theme = theme
    this.#palette = new CellTheme(theme)
    this.#tree = new ElementTree(size)
    this.#compositor = new Compositor(size, this.#tables)
    this.#grid = gridOf(size)
    this.#damage = new Damage(size)
  }

  /** Takes as long as there are differences from the scene before. */
  show(scene: Scene): void {
    this.#scene = scene
    const before = this.#painted
    this.#painted = new Map(scene.boxes.map((box) => [box.key, this.#paint(box, before.get(box.key))]))
    const surfaces = [...this.#painted.values()].flatMap(surfacesOf)
    if (!samePlaces(surfaces, this.#surfaces)) {
      this.#settled = false
      this.#owners = this.#tree.arrange(surfaces)
      this.#runs = this.#owners.map(runsOf)
    }
    this.#surfaces = surfaces
    if (!this.#settled) this.#damage.addAll()
  }

  resize(size: Size): void {
    this.#size = size
    this.#tree.resize(size)
    this.#grid = gridOf(size)
    this.#damage = new Damage(size)
    this.#surfaces = []
    this.#settled = false
  }

  setTheme(theme: ScreenTheme): void {
    this.#theme = theme
    this.#palette = new CellTheme(theme)
    this.#paintAgain()
  }

  /** The terminal may show anything now. The next frame clears it. */
  startOver(): void {
    this.#compositor = new Compositor(this.#size, this.#tables)
    this.#compositor.clear()
    this.#settled = false
    this.#showAgain()
  }

  shows(pane: string): boolean {
    return this.#surfaces.some((surface) => surface.pane === pane)
  }

  /** The whole pane has to be drawn again, because it was put there or is gone. */
  damage(pane: string): void {
    for (const { rect, pane: shown } of this.#surfaces) if (shown === pane) this.#damage.add(rect)
  }

  /** Notes the rows that the pane says have changed. */
  damageChanged(pane: Pane): void {
    const rows = pane.view.takeDamage()
    for (const { rect, pane: shown } of this.#surfaces)
      if (shown === pane.id) this.#damage.add(bodyRows(rect, rows))
  }

  /** The bytes that make the terminal show the scene. Held panes keep what they show, where possible. */
  draw(held: ReadonlySet<string>): Drawn {
    if (this.#tables.full) this.#emptyTables()
    const keep = this.#settled ? held : NOTHING
    for (let y = 0; y < this.#size.rows; y++) {
      const part = this.#damage.take(y)
      if (part !== null) this.#drawRow(part, keep)
    }
    this.#settled = true
    return { cells: this.#compositor.take(), cursor: this.#cursor(keep) }
  }

  dispose(): void {
    this.#tree.dispose()
  }

  #paint(box: SceneBox, before: Painted | undefined): Painted {
    if (before !== undefined && sameBox(before.box, box)) return before
    const rows = before === undefined ? null : differingRows(before.box, box)
    if (before !== undefined && rows !== null) {
      for (const row of rows) this.#damage.add(before.cells.replaceRow(box, row))
      return { box, cells: before.cells }
    }
    this.#damage.add(box.rect)
    return { box, cells: new BoxCells(box, this.#palette, this.#tables) }
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

  /** Visible only if the program's own cursor lies inside of the pane's place and nothing covers it. */
  #paneCursor(id: string): CursorState {
    const index = this.#surfaces.findLastIndex(({ pane }) => pane === id)
    const rect = this.#surfaces[index]?.rect
    const cursor = this.#panes.get(id)?.view.cursor
    if (rect === undefined || cursor === undefined || cursor === null) return HIDDEN_CURSOR
    const [x, y] = [rect.x + cursor.x, rect.y + cursor.y]
    if (this.#owners[y]?.[x] !== index + 1) return HIDDEN_CURSOR
    return { visible: true, x, y, shape: cursor.shape }
  }

  /** A run of one owner is composed as a whole, so that a wide character is only cut where something covers it. */
  #drawRow({ y, from, to }: RowPart, held: ReadonlySet<string>): void {
    const runs = (this.#runs[y] ?? []).filter((run) => run.to > from && run.from < to)
    for (const run of runs) {
      const surface = this.#surfaces[run.owner - 1]
      this.#composeRun(surface, { y, from: run.from, to: run.to }, held)
    }
    const [first, last] = [runs.at(0), runs.at(-1)]
    this.#compositor.drawRow({ y, from: first?.from ?? from, to: last?.to ?? from }, this.#grid)
  }

  #composeRun(surface: Surface | undefined, run: RowPart, held: ReadonlySet<string>): void {
    if (typeof surface?.pane === 'string' && held.has(surface.pane)) return
    const { y, from, to } = run
    const at = y * this.#size.columns + from
    const count = to - from
    const source = surface?.source ?? this.#panes.get(surface?.pane ?? '')?.view
    if (surface === undefined || source === undefined) {
      fillBlank(this.#grid, at, count)
      return
    }
    const span = { row: y - surface.rect.y, column: from - surface.rect.x, count }
    source.copyCells(span, { words: this.#grid, at, tables: this.#tables })
    mendHalves(this.#grid, at, count)
    if (reduces(this.#theme)) {
      const words = this.#grid.subarray(at * CELL_WORDS, (at + count) * CELL_WORDS)
      reduceRow(words, this.#theme, this.#tables)
    }
  }

  #emptyTables(): void {
    this.#tables.clear()
    this.#compositor = new Compositor(this.#size, this.#tables)
    this.#settled = false
    this.#paintAgain()
  }
}

const gridOf = ({ columns, rows }: Size): Uint32Array => new Uint32Array(columns * rows * CELL_WORDS)

const bodyRows = (rect: Rect, { from, to }: RowRange): Rect => ({
  ...rect,
  y: rect.y + from,
  height: Math.max(0, Math.min(rect.height, to) - from),
})

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

function runsOf(owners: Owners): PictureRun[] {
  const runs: PictureRun[] = []
  for (let from = 0; from < owners.length; ) {
    const owner = owners[from] ?? 0
    let to = from + 1
    while (to < owners.length && owners[to] === owner) to++
    runs.push({ from, to, owner })
    from = to
  }
  return runs
}
