// Somebody who joins a terminal at some byte, and somebody who was there from the start: after the same bytes and the
// same sizes, both have to be the same in everything that can be seen, copied, found, or that shows later.

import type { Terminal } from '@xterm/headless'
import { loadState } from '../../../src/core/emulator/emulator-state.ts'
import { type KeyboardModes, trackKeyboard } from '../../../src/core/emulator/keyboard-modes.ts'
import { openEmulator } from '../../../src/core/emulator/open-emulator.ts'
import { NEXT_LINK, STATE_FIELDS } from '../../../src/core/emulator/state-fields.ts'
import {
  type InnerBuffer,
  type InnerLine,
  type Insides,
  insidesOf,
  usesAlternate,
} from '../../../src/core/emulator/xterm-insides.ts'
import { openScreen, type Screen } from '../../../src/runners/host/terminal/screen.ts'
import { findAll, readPaneRange } from '../../../src/ui/screen/pane/pane-lines.ts'
import type { Size } from '../../../src/ui/screen/scene.ts'

export interface Watcher {
  readonly terminal: Terminal
  readonly insides: Insides
  readonly keyboard: KeyboardModes
}

/** Lines of history of the host, which is what somebody who joins gets, and of a pane. */
const HOST_HISTORY = 1000
const PANE_HISTORY = 2000

export async function openWatcher(size: Size): Promise<Watcher> {
  const terminal = await openEmulator(size, { scrollback: PANE_HISTORY })
  return { terminal, insides: insidesOf(terminal), keyboard: trackKeyboard(terminal) }
}

export const openHostScreen = (size: Size): Promise<Screen> =>
  openScreen(size, { reply: () => {}, onStatus: () => {} })

export const joinScreenAs = (watcher: Watcher, screen: Screen): void =>
  loadState(watcher, screen.state(HOST_HISTORY))

/** What one has that the other has not, in words; empty if they are the same. */
export function differences(joined: Watcher, stayed: Watcher): string[] {
  const both = [joined, stayed].map(({ insides, keyboard }) => ({
    fields: fieldsOf(insides).join(),
    keyboard: keyboard.state().join(),
    alternate: usesAlternate(insides),
    size: `${insides.cols}x${insides.rows}`,
  }))
  const found = (['fields', 'keyboard', 'alternate', 'size'] as const).flatMap((what) =>
    both[0]?.[what] === both[1]?.[what] ? [] : [`${what}: ${both[0]?.[what]} instead of ${both[1]?.[what]}`],
  )
  for (const name of ['normal', 'alt'] as const) {
    found.push(...wrongLines(name, joined.insides, stayed.insides))
  }
  return [...found, ...wrongTexts(joined.terminal, stayed.terminal)]
}

/** The parser's states outside of sequences and inside of strings: GROUND, SOS_PM_STRING, OSC_STRING. */
const COLLECTS_NOTHING = [0, 7, 8]

/** The history may begin elsewhere, so lines are counted from the first one of the screen. */
function fieldsOf(insides: Insides): string[] {
  // Questions have been left out of what others get, so what is left of the last sequence differs.
  const parser = insides._inputHandler._parser
  if (COLLECTS_NOTHING.includes(parser.currentState)) parser._collect = 0
  const named = STATE_FIELDS.map((field, index) => {
    // Links are compared by where they lead, cell by cell; a number says nothing as long as no link has it yet.
    const value = field === NEXT_LINK ? isFreeLink(insides) : field.get(insides)
    return `${index}=${value}`
  })
  const { normal, alt } = insides.buffers
  const places = [normal, alt].flatMap(({ x, y, ybase, savedX, savedY, scrollTop, scrollBottom, tabs }) => [
    x,
    y,
    savedX,
    Math.max(0, savedY - ybase),
    scrollTop,
    scrollBottom,
    Object.keys(tabs).join(' '),
  ])
  return [...named.slice(0, -PLACES), ...places.map(String)]
}

const isFreeLink = ({ _oscLinkService: { _nextId, _dataByLinkId } }: Insides): boolean =>
  [..._dataByLinkId.keys()].every((id) => id < _nextId)

/** Fields of the two screens, at the end of the table; those of them that are no places are compared with the lines. */
const PLACES = 20

function wrongLines(name: 'normal' | 'alt', joined: Insides, stayed: Insides): string[] {
  const [is, should] = [joined.buffers[name], stayed.buffers[name]]
  const [isBelow, shouldBelow] = [is.lines.length - is.ybase, should.lines.length - should.ybase]
  if (isBelow !== shouldBelow) return [`${name}: ${isBelow} lines instead of ${shouldBelow}`]
  const found: string[] = []
  const top = firstWhole(is, should)
  for (let back = 1; back <= is.lines.length - top && found.length < 5; back++) {
    const [a, b] = [is.lines.get(is.lines.length - back), should.lines.get(should.lines.length - back)]
    const row = is.lines.length - back - is.ybase
    if (a === undefined || b === undefined) found.push(`${name} ${row}: missing`)
    else found.push(...wrongCellsOf(a, b, [joined, stayed]).map((what) => `${name} ${row}: ${what}`))
  }
  return found
}

/** If the history is cut, what is left of a paragraph at its beginning wraps elsewhere than the whole. */
function firstWhole(is: InnerBuffer, should: InnerBuffer): number {
  if (is.lines.length === should.lines.length) return 0
  let top = 1
  while (is.lines.get(top)?.isWrapped === true) top++
  return Math.max(top, is.lines.length - should.lines.length)
}

function wrongCellsOf(a: InnerLine, b: InnerLine, insides: readonly [Insides, Insides]): string[] {
  if (a.isWrapped !== b.isWrapped) return [`wraps ${a.isWrapped} instead of ${b.isWrapped}`]
  if (a.length !== b.length) return [`${a.length} cells instead of ${b.length}`]
  for (let column = 0; column < a.length; column++) {
    const [is, should] = [cellOf(a, column, insides[0]), cellOf(b, column, insides[1])]
    if (is !== should) return [`cell ${column} is ${is} instead of ${should}`]
  }
  return []
}

const CLUSTER = 1 << 21
const EXTRAS = 1 << 28

function cellOf(line: InnerLine, column: number, { _oscLinkService }: Insides): string {
  const [content = 0, fg = 0, bg = 0] = line._data.subarray(column * 3, column * 3 + 3)
  const text = (content & CLUSTER) === 0 ? '' : line._combined[column]
  const extras = (bg & EXTRAS) === 0 ? undefined : line._extendedAttrs[column]
  const uri = extras === undefined ? '' : _oscLinkService.getLinkData(extras.urlId)?.uri
  return [content, text, fg, bg, extras === undefined ? '' : extras._ext >>> 0, uri].join(' ')
}

/** What is copied of the whole screen, and where a text is found in it. */
function wrongTexts(joined: Terminal, stayed: Terminal): string[] {
  const [is, should] = [copyOf(joined), copyOf(stayed)]
  if (is !== should) return [`copied ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`]
  const word = /\S{3,12}/u.exec(should)?.[0] ?? ''
  if (word === '') return []
  const [found, wanted] = [placesOf(joined, word), placesOf(stayed, word)]
  return found === wanted ? [] : [`found ${JSON.stringify(word)} at ${found} instead of ${wanted}`]
}

function copyOf({ buffer: { active }, rows, cols }: Terminal): string {
  const from = { line: active.baseY, column: 0 }
  return readPaneRange(active, { from, to: { line: active.baseY + rows - 1, column: cols - 1 } })
}

const placesOf = ({ buffer: { active } }: Terminal, word: string): string =>
  findAll(active, word)
    .filter(({ from }) => from.line >= active.baseY)
    .map(
      ({ from, to }) => `${from.line - active.baseY}:${from.column}-${to.line - active.baseY}:${to.column}`,
    )
    .join()
