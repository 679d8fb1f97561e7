// What an emulator is besides its lines, each thing as a number, in the order in which it is written: modes, pen,
// charsets, cursors, and the place in an unfinished sequence.

import { charsetsOf, LAST_CHARSET } from './charsets.ts'
import type { InnerBuffer, Insides } from './xterm-insides.ts'

export interface StateField {
  readonly most: number
  get(insides: Insides): number
  set(insides: Insides, value: number): void
}

type Owner<K extends string> = (insides: Insides) => { [P in K]?: unknown }

const LARGEST = 0xffffffff
const FLAG = [false, true] as const
/** The parser has 15 states. */
const LAST_PARSER_STATE = 14

/** A property that is a number, or one of a row of values. */
function property<K extends string>(
  owner: Owner<K>,
  key: K,
  values: readonly unknown[] | number = LARGEST,
): StateField {
  if (typeof values === 'number') {
    return {
      most: values,
      get: (of) => Number(owner(of)[key]) >>> 0,
      set: (of, value) => assign(owner(of), key, value),
    }
  }
  return {
    most: values.length - 1,
    get: (of) => Math.max(0, values.indexOf(owner(of)[key])),
    set: (of, value) => assign(owner(of), key, values[value]),
  }
}

function assign<K extends string>(owner: ReturnType<Owner<K>>, key: K, value: unknown): void {
  owner[key] = value
}

function charset<K extends string>(owner: Owner<K>, key: K): StateField {
  return {
    most: LAST_CHARSET,
    get: (of) => Math.max(0, (charsetsOf(of) as unknown[]).indexOf(owner(of)[key])),
    set: (of, value) => assign(owner(of), key, charsetsOf(of)[value]),
  }
}

const bufferFields = (pick: (insides: Insides) => InnerBuffer): StateField[] => [
  ...(['x', 'y', 'ybase', 'scrollTop', 'scrollBottom', 'savedX', 'savedY'] as const).map((key) =>
    property(pick, key),
  ),
  property((of) => pick(of).savedCurAttrData, 'fg'),
  property((of) => pick(of).savedCurAttrData, 'bg'),
  charset(pick, 'savedCharset'),
]

const decMode = (
  key: keyof Insides['coreService']['decPrivateModes'],
  values: readonly unknown[] = FLAG,
): StateField => property((of) => of.coreService.decPrivateModes, key, values)

/** The number that the next link will get. No link may have it yet. */
export const NEXT_LINK: StateField = property((of) => of._oscLinkService, '_nextId')

export const STATE_FIELDS: readonly StateField[] = [
  decMode('applicationCursorKeys'),
  decMode('applicationKeypad'),
  decMode('bracketedPasteMode'),
  decMode('origin'),
  decMode('reverseWraparound'),
  decMode('sendFocus'),
  decMode('synchronizedOutput'),
  decMode('wraparound'),
  decMode('cursorStyle', [undefined, 'block', 'underline', 'bar']),
  decMode('cursorBlink', [undefined, false, true]),
  property((of) => of.coreService, 'isCursorHidden', FLAG),
  property((of) => of.coreService.modes, 'insertMode', FLAG),
  property((of) => of.optionsService.options, 'convertEol', FLAG),
  property((of) => of.optionsService.options, 'cursorBlink', FLAG),
  property((of) => of.coreMouseService, 'activeProtocol', ['NONE', 'X10', 'VT200', 'DRAG', 'ANY']),
  property((of) => of.coreMouseService, 'activeEncoding', ['DEFAULT', 'SGR', 'SGR_PIXELS']),
  property((of) => of._charsetService, 'glevel', 3),
  charset((of) => of._charsetService, 'charset'),
  ...(['0', '1', '2', '3'] as const).map((slot) =>
    charset((of) => of._charsetService._charsets as { [P in typeof slot]?: unknown }, slot),
  ),
  property((of) => of._inputHandler._curAttrData, 'fg'),
  property((of) => of._inputHandler._curAttrData, 'bg'),
  property((of) => of._inputHandler._parser, 'currentState', LAST_PARSER_STATE),
  property((of) => of._inputHandler._parser, 'precedingJoinState'),
  property((of) => of._inputHandler._parser, '_collect'),
  NEXT_LINK,
  ...(['0', '1', '2'] as const).map((place) =>
    property((of) => of._inputHandler._utf8Decoder.interim as { [P in typeof place]?: unknown }, place, 0xff),
  ),
  ...bufferFields((of) => of.buffers.normal),
  ...bufferFields((of) => of.buffers.alt),
]
