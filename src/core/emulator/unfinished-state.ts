// What a parser has of a sequence that is not finished: its parameters, and what a string says so far.

import type { StateReader, StateWriter } from './state-bytes.ts'
import type { InnerParams, InnerParser, Insides } from './xterm-insides.ts'

const LARGEST = 0xffffffff
/** The emulator keeps no longer string, and no more parameters. */
const LONGEST_STRING = 40_000_000
const MOST_PARAMS = 32
/** States of an OSC: none, in its number, in its text, ignored. */
const LAST_OSC_STATE = 3
const OSC_TEXT = 2

export interface UnfinishedState {
  readonly params: ParamsState
  readonly osc: { readonly state: number; readonly id: number; readonly text: StringState }
  readonly dcs: { readonly ident: number; readonly params: ParamsState; readonly text: StringState }
}

interface ParamsState {
  readonly values: readonly (readonly [value: number, parts: readonly number[]])[]
  /** Whether the next digits are ignored, those of parts too, and whether they belong to a part. */
  readonly flags: number
}

interface StringState {
  readonly text: string
  /** It was too long, and is forgotten. */
  readonly dropped: boolean
}

export function writeUnfinished(writer: StateWriter, { _inputHandler }: Insides): void {
  const { _params, _oscParser: osc, _dcsParser: dcs } = _inputHandler._parser
  writeParams(writer, _params)
  writer.number(osc._state)
  writer.number(Math.min(LARGEST, osc._id + 1))
  writeString(writer, osc._active)
  writer.number(dcs._ident)
  writeParams(writer, dcs._active[0]?._params ?? _params)
  writeString(writer, dcs._active)
}

export function readUnfinished(reader: StateReader): UnfinishedState {
  const params = readParams(reader)
  const osc = {
    state: reader.number(LAST_OSC_STATE),
    id: reader.number(LARGEST) - 1,
    text: readString(reader),
  }
  return {
    params,
    osc,
    dcs: { ident: reader.number(LARGEST), params: readParams(reader), text: readString(reader) },
  }
}

/** On a parser that is within no sequence. */
export function loadUnfinished(parser: InnerParser, { params, osc, dcs }: UnfinishedState): void {
  loadParams(parser._params, params)
  parser._oscParser._id = osc.id
  parser._oscParser._state = osc.state
  if (osc.state === OSC_TEXT) {
    parser._oscParser._start()
    loadString(parser._oscParser._active, osc.text)
  }
  if (dcs.ident === 0) return
  const given = parser._params.clone()
  loadParams(given, dcs.params)
  parser._dcsParser.hook(dcs.ident, given)
  loadString(parser._dcsParser._active, dcs.text)
}

type Strings = InnerParser['_oscParser']['_active']

/** All who wait for the string have collected the same. */
function writeString(writer: StateWriter, [first]: Strings): void {
  writer.text(first?._data ?? '')
  writer.number(first?._hitLimit === true ? 1 : 0)
}

const readString = (reader: StateReader): StringState => ({
  text: reader.text(LONGEST_STRING),
  dropped: reader.number(1) === 1,
})

function loadString(waiting: Strings, { text, dropped }: StringState): void {
  for (const one of waiting) {
    one._data = text
    one._hitLimit = dropped
  }
}

function writeParams(writer: StateWriter, params: InnerParams): void {
  writer.number(params.length)
  for (let index = 0; index < params.length; index++) {
    const parts = params.getSubParams(index) ?? []
    writer.number(params.params[index] ?? 0)
    writer.number(parts.length)
    for (const part of parts) writer.number(part + 1)
  }
  const { _rejectDigits, _rejectSubDigits, _digitIsSub } = params
  writer.number((_rejectDigits ? 1 : 0) + (_rejectSubDigits ? 2 : 0) + (_digitIsSub ? 4 : 0))
}

function readParams(reader: StateReader): ParamsState {
  const count = reader.number(MOST_PARAMS)
  const values = Array.from({ length: count }, () => {
    const value = reader.number(LARGEST)
    const parts = Array.from({ length: reader.number(MOST_PARAMS) }, () => reader.number(LARGEST) - 1)
    return [value, parts] as const
  })
  return { values, flags: reader.number(7) }
}

function loadParams(params: InnerParams, { values, flags }: ParamsState): void {
  params.reset()
  for (const [value, parts] of values) {
    params.addParam(value)
    for (const part of parts) params.addSubParam(part)
  }
  params._rejectDigits = (flags & 1) !== 0
  params._rejectSubDigits = (flags & 2) !== 0
  params._digitIsSub = (flags & 4) !== 0
}
