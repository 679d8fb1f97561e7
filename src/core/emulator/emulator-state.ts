// All that an emulator is, as bytes, and an emulator made so: both screens cell by cell, cursors, modes, links, and what
// it has of an unfinished sequence. Whoever joins goes on from there as if they had been there from the start; a drawing
// could not tell where lines wrap, for example.

import type { Terminal } from '@xterm/headless'
import type { KeyboardModes } from './keyboard-modes.ts'
import { type LinkState, loadLinks, readLinks, writeLinks } from './link-state.ts'
import { type ExtraState, LineReader, type LineState } from './read-lines.ts'
import { StateReader, StateWriter } from './state-bytes.ts'
import { STATE_FIELDS } from './state-fields.ts'
import { STATE_VERSION } from './state-version.ts'
import { loadUnfinished, readUnfinished, type UnfinishedState, writeUnfinished } from './unfinished-state.ts'
import { LINE_WORDS, LineWriter } from './write-lines.ts'
import {
  type InnerBuffer,
  type InnerExtras,
  type InnerLine,
  type Insides,
  insidesOf,
  usesAlternate,
} from './xterm-insides.ts'

/** Most columns and rows of a terminal, and lines of history. */
const MOST_CELLS = 1000
const MOST_HISTORY = 10_000
const MOST_LINES = MOST_CELLS + MOST_HISTORY
const LONGEST_TITLE = 512
const UNIT_BYTES = 3

export interface Emulator {
  readonly terminal: Terminal
  readonly keyboard: KeyboardModes
}

/** With at most so many lines of history. */
export function takeState({ terminal, keyboard }: Emulator, scrollback: number): Buffer {
  const insides = insidesOf(terminal)
  const { normal, alt } = insides.buffers
  const writer = new StateWriter()
  writer.number(STATE_VERSION)
  writer.number(insides.cols)
  writer.number(insides.rows)
  writer.number(usesAlternate(insides) ? 1 : 0)
  const first = Math.max(0, normal.ybase - Math.max(0, scrollback))
  writer.number(first)
  for (const field of STATE_FIELDS) writer.number(field.get(insides))
  for (const value of keyboard.state()) writer.number(value)
  const lines = new LineWriter(writer, insides.cols)
  lines.writeExtra(insides._inputHandler._curAttrData.extended)
  writeBuffer(writer, normal, { first, lines })
  writeBuffer(writer, alt, { first: 0, lines })
  writeLinks(writer, insides, { ids: lines.links, first })
  writeUnfinished(writer, insides)
  writer.text(insides._inputHandler._windowTitle.slice(0, LONGEST_TITLE))
  return writer.take()
}

function writeBuffer(
  writer: StateWriter,
  buffer: InnerBuffer,
  { first, lines }: { readonly first: number; readonly lines: LineWriter },
): void {
  const stops = Object.keys(buffer.tabs).map(Number)
  writer.number(stops.length)
  for (const stop of stops) writer.number(stop)
  writer.number(buffer.lines.length - (buffer.lines.length === 0 ? 0 : first))
  for (let at = first; at < buffer.lines.length; at++) {
    const line = buffer.lines.get(at)
    if (line !== undefined) lines.write(line)
  }
}

interface EmulatorState {
  readonly columns: number
  readonly rows: number
  readonly alternate: boolean
  /** Lines that were left out at the beginning of the history. */
  readonly first: number
  readonly fields: readonly number[]
  readonly keyboard: readonly number[]
  readonly pen: ExtraState
  readonly normal: BufferState
  readonly alt: BufferState
  readonly links: readonly LinkState[]
  readonly unfinished: UnfinishedState
  readonly title: string
}

interface BufferState {
  readonly stops: readonly number[]
  readonly lines: readonly LineState[]
}

/** Throws, and leaves the emulator as it is, on bytes that no emulator of this version has written. */
export function loadState({ terminal, keyboard }: Emulator, bytes: Uint8Array): void {
  const state = readState(bytes, keyboard.state().length)
  const insides = insidesOf(terminal)
  if (state.normal.lines.length > state.rows + (terminal.options.scrollback ?? 0)) {
    throw new Error('the state has more lines than there is room for')
  }
  const { normal, alt } = insides.buffers
  for (const buffer of [normal, alt]) {
    buffer.clearAllMarkers()
    buffer.clear()
  }
  terminal.resize(state.columns, state.rows)
  insides._inputHandler._parser.reset()
  if (state.alternate) insides.buffers.activateAltBuffer()
  else insides.buffers.activateNormalBuffer()
  const extras = makeExtras(insides)
  loadBuffer(insides, normal, { ...state.normal, extras })
  loadBuffer(insides, alt, { ...state.alt, extras })
  STATE_FIELDS.forEach((field, index) => {
    field.set(insides, state.fields[index] ?? 0)
  })
  normal.ybase -= state.first
  normal.savedY = Math.max(0, normal.savedY - state.first)
  for (const buffer of [normal, alt]) keepInside(buffer, state)
  insides._bufferService.isUserScrolling = false
  insides._inputHandler._curAttrData.extended = extras(state.pen)
  keyboard.load(state.keyboard)
  loadLinks(insides, state.links)
  loadUnfinished(insides._inputHandler._parser, state.unfinished)
  insides._inputHandler.setTitle(state.title)
}

function readState(bytes: Uint8Array, keyboardNumbers: number): EmulatorState {
  const reader = new StateReader(bytes)
  if (reader.number(0xffff) !== STATE_VERSION) throw new Error('the state is of another version')
  const [columns, rows] = [reader.number(MOST_CELLS), reader.number(MOST_CELLS)]
  if (columns < 1 || rows < 1) throw new Error('the state has no size')
  const head = { columns, rows, alternate: reader.number(1) === 1, first: reader.number(0xffffffff) }
  const fields = STATE_FIELDS.map(({ most }) => reader.number(most))
  const keyboard = Array.from({ length: keyboardNumbers }, () => reader.number(0xffffffff))
  const lines = new LineReader(reader, columns)
  const pen = lines.readExtra()
  const normal = readBuffer(reader, lines)
  const alt = readBuffer(reader, lines)
  const state = {
    ...head,
    fields,
    keyboard,
    pen,
    normal,
    alt,
    links: readLinks(reader, MOST_LINES),
    unfinished: readUnfinished(reader),
    title: reader.text(LONGEST_TITLE * UNIT_BYTES),
  }
  reader.end()
  return state
}

function readBuffer(reader: StateReader, lines: LineReader): BufferState {
  const stops = Array.from({ length: reader.number(MOST_CELLS + 1) }, () => reader.number(MOST_CELLS))
  return { stops, lines: Array.from({ length: reader.number(MOST_LINES) }, () => lines.read()) }
}

type MakeExtras = (extra: ExtraState) => InnerExtras

function loadBuffer(
  insides: Insides,
  buffer: InnerBuffer,
  { stops, lines, extras }: BufferState & { readonly extras: MakeExtras },
): void {
  buffer.clear()
  buffer.tabs = Object.fromEntries(stops.map((stop) => [stop, true]))
  const blank = buffer.getBlankLine(insides._inputHandler._curAttrData)
  for (const line of lines) buffer.lines.push(makeLine(blank, line, extras))
  const isUsed = buffer === insides.buffers.normal || usesAlternate(insides)
  while (isUsed && buffer.lines.length < insides.rows) buffer.lines.push(blank.clone())
}

function makeLine(blank: InnerLine, state: LineState, extras: MakeExtras): InnerLine {
  const line = blank.clone()
  line.isWrapped = state.isWrapped
  line._data = state.data
  line.length = state.data.length / LINE_WORDS
  for (const [column, text] of state.clusters) line._combined[column] = text
  for (const [column, extra] of state.extras) line._extendedAttrs[column] = extras(extra)
  return line
}

/** Cells with the same extras share them, as they did before. */
function makeExtras({ _inputHandler }: Insides): MakeExtras {
  const made = new Map<ExtraState, InnerExtras>()
  return (extra) => {
    const before = made.get(extra)
    if (before !== undefined) return before
    const extras = _inputHandler._curAttrData.extended.clone()
    extras._ext = extra.ext
    extras._urlId = extra.link
    made.set(extra, extras)
    return extras
  }
}

/** Whatever was sent, nothing points out of the screen. */
function keepInside(buffer: InnerBuffer, { columns, rows }: EmulatorState): void {
  const within = (value: number, most: number): number => Math.max(0, Math.min(value, most))
  buffer.x = within(buffer.x, columns)
  buffer.y = within(buffer.y, rows - 1)
  buffer.ybase = within(buffer.ybase, buffer.lines.length - rows)
  buffer.ydisp = buffer.ybase
  buffer.scrollBottom = within(buffer.scrollBottom, rows - 1)
  buffer.scrollTop = within(buffer.scrollTop, buffer.scrollBottom)
}
