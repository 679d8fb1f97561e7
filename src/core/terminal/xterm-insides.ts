// What of @xterm/headless 6.0.0 we use without its leave: to parse at once, to read what its API does not tell, and what
// each key asks for: the API makes objects of it anew. The package's version is pinned exactly for that reason.

import type { Terminal } from '@xterm/headless'

export interface Insides {
  /** Parses at once. The public write() parses later, in slices, and would need a queue here and for each client. */
  writeSync(data: Uint8Array): void
  readonly coreService: {
    readonly isCursorHidden: boolean
    readonly decPrivateModes: {
      readonly cursorStyle?: 'block' | 'underline' | 'bar'
      readonly cursorBlink?: boolean
      readonly applicationCursorKeys: boolean
      readonly applicationKeypad: boolean
      readonly bracketedPasteMode: boolean
      readonly sendFocus: boolean
      readonly synchronizedOutput: boolean
    }
  }
  readonly coreMouseService: { readonly activeEncoding: string; readonly activeProtocol: string }
  readonly buffers: { readonly normal: InnerBuffer; readonly alt: InnerBuffer; readonly active: InnerBuffer }
  readonly _inputHandler: {
    readonly _curAttrData: CellLook
    /** 0 where it is within no sequence. */
    readonly _parser: { readonly currentState: number }
    /** Rows of the screen that the last bytes changed, where they neither moved its lines nor began another screen. */
    readonly _dirtyRowTracker: { readonly start: number; readonly end: number }
  }
  readonly _oscLinkService: {
    getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined
  }
  readonly _charsetService: {
    readonly glevel: number
    /** In use: a restored cursor brings its own. */
    readonly charset: Charset
    readonly _charsets: readonly Charset[]
  }
}

export interface InnerBuffer {
  readonly scrollTop: number
  readonly scrollBottom: number
  /** The first line of the screen, and the first that is in sight. */
  readonly ybase: number
  readonly ydisp: number
  readonly lines: { get(index: number): InnerLine | undefined }
  /** Of the cursor, from the first line of the screen. */
  readonly x: number
  readonly y: number
  readonly savedX: number
  /** Counted from the first line of the history. */
  readonly savedY: number
  readonly savedCurAttrData: CellLook
  readonly savedCharset: Charset
  readonly tabs: Readonly<Record<string, boolean>>
}

/** A line as its cells are kept: what is looked at cell by cell, in every frame. */
export interface InnerLine {
  readonly length: number
  /** Content, letter and ground of each cell. */
  readonly _data: Uint32Array
  /** Clusters, by column. */
  readonly _combined: Readonly<Record<number, string>>
  /** By column, where the ground's word says that there is one. */
  readonly _extendedAttrs: Readonly<Record<number, CellLook['extended']>>
}

type Charset = Readonly<Record<string, string>> | undefined

/** The one set besides ASCII that is in use; `q` is its horizontal line. */
export const isLineDrawing = (set: Charset): boolean => set?.['q'] === '─'

/** How a cell is drawn, or how the next one will be. */
export interface CellLook {
  isBold(): number
  isDim(): number
  isItalic(): number
  isBlink(): number
  isInverse(): number
  isInvisible(): number
  isStrikethrough(): number
  isOverline(): number
  getFgColorMode(): number
  getFgColor(): number
  getBgColorMode(): number
  getBgColor(): number
  getUnderlineColorMode(): number
  getUnderlineColor(): number
  hasExtendedAttrs(): number
  /** Flags: isUnderline() would count links as underlined. */
  readonly fg: number
  readonly extended: {
    readonly urlId: number
    /** Flags: the style of the underline, 1 to 5 (single, double, curly, dotted, dashed), from bit 26 on. */
    readonly _ext: number
  }
}

export const insidesOf = (terminal: Terminal): Insides =>
  (terminal as unknown as { readonly _core: Insides })._core

export const usesAlternate = ({ buffers }: Insides): boolean => buffers.active === buffers.alt
