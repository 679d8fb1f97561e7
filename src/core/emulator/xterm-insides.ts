// What we use of @xterm/headless 6.0.0 although it is not in its API: parsing at once, reading what the API does not
// tell, and reading without the objects that the API makes for each key. The package's version is pinned exactly for
// that reason.

import type { Terminal } from '@xterm/headless'

export interface Insides {
  /** Parses at once. The public write() parses later, in slices, and would need a queue here and for every client. */
  writeSync(data: Uint8Array): void
  readonly cols: number
  readonly rows: number
  readonly coreService: {
    isCursorHidden: boolean
    readonly modes: { insertMode: boolean }
    readonly decPrivateModes: {
      cursorStyle?: 'block' | 'underline' | 'bar' | undefined
      cursorBlink?: boolean | undefined
      applicationCursorKeys: boolean
      applicationKeypad: boolean
      bracketedPasteMode: boolean
      origin: boolean
      reverseWraparound: boolean
      sendFocus: boolean
      synchronizedOutput: boolean
      wraparound: boolean
    }
  }
  /** Modes that are kept as options: new lines (20) and a blinking cursor (12). */
  readonly optionsService: { readonly options: { convertEol: boolean; cursorBlink: boolean } }
  readonly coreMouseService: { activeEncoding: string; activeProtocol: string }
  readonly unicodeService: {
    /** Width, kind and whether it joins what is before it, as one number; `preceding` is that of what is before it. */
    charProperties(code: number, preceding: number): number
    wcwidth(code: number): number
  }
  readonly buffers: {
    readonly normal: InnerBuffer
    readonly alt: InnerBuffer
    readonly active: InnerBuffer
    activateNormalBuffer(): void
    activateAltBuffer(): void
  }
  readonly _bufferService: {
    isUserScrolling: boolean
    scroll(eraseAttr: CellLook, isWrapped?: boolean): void
    resize(columns: number, rows: number): void
  }
  readonly _inputHandler: InnerHandler
  readonly _oscLinkService: InnerLinks
  readonly _charsetService: {
    glevel: number
    /** The charset in use. Restoring the cursor restores its charset too. */
    charset: Charset
    _charsets: Charset[]
  }
}

/** What carries out sequences. Its methods are called by their names, so one can be put in the place of another. */
export interface InnerHandler {
  _curAttrData: CellLook
  readonly _parser: InnerParser
  readonly _utf8Decoder: { readonly interim: Uint8Array }
  _windowTitle: string
  /** Rows of the screen that the last bytes have changed, unless they moved lines or switched screens. */
  readonly _dirtyRowTracker: { readonly start: number; readonly end: number }
  setTitle(title: string): boolean
  selectCharset(slotAndLetter: string): boolean
  restoreCursor(): boolean
  print(data: Uint32Array, start: number, end: number): void
  registerCsiHandler(
    id: { readonly prefix?: string; readonly final: string },
    callback: (params: InnerParams) => boolean,
  ): void
  /** Takes a colour from the parameters at `at`, and returns how many more parameters it has used. */
  _extractColor(params: InnerParams, at: number, look: CellLook): number
  _updateAttrColor(colour: number, mode: number, red: number, green: number, blue: number): number
  _restrictCursor(lastColumn?: number): void
  _eraseInBufferLine(row: number, from: number, to: number, unwrap: boolean, sparing: boolean): void
  _resetBufferLine(row: number, sparing: boolean): void
  markRangeDirty(from: number, to: number): void
}

export interface InnerParser {
  /** 0 where it is not within a sequence. */
  currentState: number
  /** Of the character that was printed just before; 0 after anything else. */
  precedingJoinState: number
  _collect: number
  readonly _params: InnerParams
  readonly _oscParser: {
    _state: number
    _id: number
    readonly _active: readonly InnerString[]
    _start(): void
  }
  readonly _dcsParser: {
    readonly _ident: number
    readonly _active: readonly InnerString[]
    hook(ident: number, params: InnerParams): void
  }
  reset(): void
}

/** Collects what a sequence says between its beginning and its end. */
interface InnerString {
  _data: string
  _hitLimit: boolean
  readonly _params?: InnerParams
}

export interface InnerParams {
  readonly length: number
  readonly params: Int32Array
  _rejectDigits: boolean
  _rejectSubDigits: boolean
  _digitIsSub: boolean
  getSubParams(index: number): Int32Array | null
  reset(): void
  addParam(value: number): void
  addSubParam(value: number): void
  clone(): InnerParams
}

export interface InnerLinks {
  _nextId: number
  _dataByLinkId: Map<number, InnerLink>
  _entriesWithId: Map<string, InnerLink>
  getLinkData(id: number): InnerLink['data'] | undefined
  _getEntryIdKey(data: InnerLink['data']): string
  _removeMarkerFromLink(link: InnerLink, marker: InnerMarker): void
}

export interface InnerLink {
  readonly id: number
  readonly key: string
  readonly data: { readonly id?: string | undefined; readonly uri: string }
  /** The link is forgotten with the last of them. */
  readonly lines: InnerMarker[]
}

interface InnerMarker {
  readonly line: number
  readonly isDisposed: boolean
  dispose(): void
  onDispose(listener: () => void): void
}

export interface InnerBuffer {
  scrollTop: number
  scrollBottom: number
  /** The first line of the screen, and the first line that is in sight. */
  ybase: number
  ydisp: number
  readonly lines: InnerLines
  /** The cursor, counted from the first line of the screen. */
  x: number
  y: number
  savedX: number
  /** Counted from the first line of the history. */
  savedY: number
  readonly savedCurAttrData: CellLook
  savedCharset: Charset
  tabs: Record<string, boolean>
  readonly markers: readonly InnerMarker[]
  addMarker(line: number): InnerMarker
  clearAllMarkers(): void
  /** Without lines after this. */
  clear(): void
  getBlankLine(look: CellLook): InnerLine
}

interface InnerLines {
  readonly length: number
  maxLength: number
  get(index: number): InnerLine | undefined
  set(index: number, line: InnerLine): void
  push(line: InnerLine): void
}

/** A line as its cells are stored: these are read cell by cell in every frame. */
export interface InnerLine {
  /** Cells. On the alternate screen, there may be more than are in sight. */
  length: number
  isWrapped: boolean
  getWidth(column: number): number
  /** `width` is that of the whole cluster then; 0 leaves it as it was. */
  addCodepointToCell(column: number, code: number, width: number): void
  getString(column: number): string
  /** Content, foreground and background of each cell. */
  _data: Uint32Array
  /** Clusters, by column. Some are left of cells that hold something else by now. */
  readonly _combined: Record<number, string>
  /** By column, for cells whose background word says that there is one. */
  readonly _extendedAttrs: Record<number, InnerExtras | undefined>
  clone(): InnerLine
}

/** Shared by cells, and never changed. */
export interface InnerExtras {
  _urlId: number
  readonly urlId: number
  /** Flags: the style of the underline, 1 to 5 (single, double, curly, dotted, dashed), from bit 26 on. */
  _ext: number
  clone(): InnerExtras
}

export type Charset = Readonly<Record<string, string>> | undefined

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
  fg: number
  bg: number
  extended: InnerExtras
}

export const insidesOf = (terminal: Terminal): Insides =>
  (terminal as unknown as { readonly _core: Insides })._core

export const usesAlternate = ({ buffers }: Insides): boolean => buffers.active === buffers.alt
