// Boxes as blessed elements. Each element writes its number into the cells that it covers, so blessed decides which box
// is where and what it hides. What a cell shows is later asked of the number's owner, row by row.

import Element, { type Coordinates, type Placing } from 'blessed/lib/widgets/element.js'
import Screen from 'blessed/lib/widgets/screen.js'
import type { Rect, Size } from '../scene.ts'
import { SilentProgram } from './silent-program.ts'

/** A row of the screen: the number of each cell's owner; 0 is nobody. */
export type Owners = Uint16Array

/** Something that has a place on the screen. */
export interface Placed {
  readonly key: string
  readonly rect: Rect
}

// Otherwise blessed would end the process at signals and exceptions. That is for the app to decide.
Screen._bound = true

export class ElementTree {
  readonly #program: SilentProgram
  readonly #screen: Screen
  #elements = new Map<string, OwnedElement>()

  constructor(size: Size) {
    this.#program = new SilentProgram(size)
    this.#screen = new Screen({ program: this.#program, fullUnicode: true })
    this.#screen.alloc = () => this.#allocate()
    this.#screen.draw = () => {}
    // Everything is written anew each time, and blessed's own clearing would act on cells that are not ours.
    this.#screen.clearRegion = () => {}
    this.#allocate()
  }

  resize(size: Size): void {
    this.#program.cols = size.columns
    this.#program.rows = size.rows
    this.#allocate()
  }

  /** From back to front. A cell belongs to the last element that covers it; elements are counted from 1. */
  arrange(placed: readonly Placed[]): readonly Owners[] {
    this.#keep(placed)
    for (const row of this.#screen.lines) row.fill(0)
    this.#screen.render()
    return this.#screen.lines
  }

  #keep(placed: readonly Placed[]): void {
    const before = this.#elements
    this.#elements = new Map(placed.map((one) => [one.key, before.get(one.key) ?? this.#make(one)]))
    for (const [key, element] of before) if (!this.#elements.has(key)) element.detach()
    const sameOrder = [...before.keys()].join('\n') === [...this.#elements.keys()].join('\n')
    for (const [index, { key, rect }] of placed.entries()) {
      const element = this.#elements.get(key)
      element?.place(rect, index + 1)
      if (element !== undefined && !sameOrder) this.#screen.append(element)
    }
  }

  dispose(): void {
    for (const element of this.#elements.values()) element.detach()
    Screen.instances = Screen.instances.filter((screen) => screen !== this.#screen)
    Screen.total = Screen.instances.length
    Screen.global = Screen.instances[0] ?? null
  }

  #make({ rect }: Placed): OwnedElement {
    return new OwnedElement({ parent: this.#screen, ...placingOf(rect) })
  }

  #allocate(): void {
    this.#screen.lines = Array.from({ length: this.#program.rows }, () => new Uint16Array(this.#program.cols))
  }
}

class OwnedElement extends Element {
  #owner = 0

  place(rect: Rect, owner: number): void {
    this.position = placingOf(rect)
    this.#owner = owner
  }

  /** Nothing has to be cleared where an element was, because everything is drawn anew each time. */
  override clearPos(): void {}

  /** Replaces blessed's own, which would parse and measure a content that blessed does not know. */
  override render(): Coordinates | undefined {
    const coordinates = this._getCoords()
    this.lpos = coordinates
    if (coordinates === undefined) return undefined
    const { xi, xl, yi, yl } = coordinates
    for (let y = Math.max(0, yi); y < yl; y++)
      this.screen.lines[y]?.fill(this.#owner, Math.max(0, xi), Math.max(0, xl))
    return coordinates
  }
}

const placingOf = ({ x, y, width, height }: Rect): Placing => ({ left: x, top: y, width, height })
