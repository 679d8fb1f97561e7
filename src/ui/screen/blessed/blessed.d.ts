// The two pieces of blessed that we use, imported one by one: its index loads forty widgets that we do not show, and
// @types/blessed describes only the index. The package's version is pinned exactly.

declare module 'blessed/lib/widgets/screen.js' {
  import type Element from 'blessed/lib/widgets/element.js'

  class Screen {
    /** If this is set, blessed does not install its handlers for signals, exit and exceptions. */
    static _bound: boolean
    static instances: Screen[]
    static total: number
    static global: Screen | null
    constructor(options: { readonly program: object; readonly fullUnicode: boolean })
    /** Rows of the cells that the elements have written. */
    lines: Uint16Array[]
    /** Has each element write its cells, from back to front, and then draws. */
    render(): void
    draw(start: number, end: number): void
    alloc(): void
    clearRegion(): void
    append(element: Element): void
  }

  // biome-ignore lint/style/noDefaultExport: it is how blessed exports it
  export default Screen
}

declare module 'blessed/lib/widgets/element.js' {
  import type Screen from 'blessed/lib/widgets/screen.js'

  export interface Placing {
    left: number
    top: number
    width: number
    height: number
  }

  /** From the first cell up to, and without, the last. */
  export interface Coordinates {
    readonly xi: number
    readonly xl: number
    readonly yi: number
    readonly yl: number
  }

  class Element {
    constructor(options: Placing & { readonly parent: Screen })
    readonly screen: Screen
    position: Placing
    /** Where it was last rendered. */
    lpos: Coordinates | undefined
    render(): Coordinates | undefined
    /** Where it lies on the screen; undefined where it is hidden. */
    _getCoords(): Coordinates | undefined
    /** Clears the cells where the element was. detach calls it. */
    clearPos(): void
    detach(): void
  }

  // biome-ignore lint/style/noDefaultExport: it is how blessed exports it
  export default Element
}
