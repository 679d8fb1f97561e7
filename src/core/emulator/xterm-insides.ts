// What we use of @xterm/headless 6.0.0 although it is not in its API: parsing at once, reading what the API does not
// tell, and reading without the objects that the API makes for each key. The package's version is pinned exactly for
// that reason.

import type { Terminal } from '@xterm/headless'

export interface Insides {
  /** Parses at once. The public write() parses later, in slices, and would need a queue here and for every client. */
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
    /** 0 where it is not within a sequence. */
    readonly _parser: { readonly currentState: number }
    /** Rows of the screen that the last bytes have changed, unless they moved lines or switched screens. */
    readonly _dirtyRowTracker: { readonly start: number; readonly end: number }
  }
  readonly _oscLinkService: {
    getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined
  }
  readonly _charsetService: {
    readonly glevel: number
    /** The charset in use. Restoring the cursor restores its charset too. */
    readonly charset: Charset
    readonly _charsets: readonly Charset[]
  }
}

export interface InnerBuffer {
  readonly scrollTop: number
  readonly scrollBottom: number
  /** The first line of the screen, and the first line that is in sight. */
  readonly ybase: number
  readonly ydisp: number
  readonly lines: { get(index: number): InnerLine | undefined }
  /** The cursor, counted from the first line of the screen. */
  readonly x: number
  readonly y: number
  readonly savedX: number
  /** Counted from the first line of the history. */
  readonly savedY: number
  readonly savedCurAttrData: CellLook
  readonly savedCharset: Charset
  readonly tabs: Readonly<Record<string, boolean>>
}

/** A line as its cells are stored: these are read cell by cell in every frame. */
export interface InnerLine {
  readonly length: number
  /** Content, foreground and background of each cell. */
  readonly _data: Uint32Array
  /** Clusters, by column. */
  readonly _combined: Readonly<Record<number, string>>
  /** By column, for cells whose background word says that there is one. */
  readonly _extendedAttrs: Readonly<Record<number, CellLook['extended']>>
}

type Charset = Readonly<Record<string, string>> | undefined

/** The one charset besides ASCII that is used. Its `q` is a horizontal line. */
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
  /** Holds flags as well. They are read here because isUnderline() counts links as underlined. */
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
