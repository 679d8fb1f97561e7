// A mark that comes after a sequence (`e`, a change of colour, then an accent) belongs to the character left of the
// cursor, as in every terminal. The emulator joins only what comes at once, and would give it a cell of its own.

import { HAS_CLUSTER, LINE_WORDS, LONGEST_CLUSTER } from './write-lines.ts'
import type { InnerBuffer, InnerLine, Insides } from './xterm-insides.ts'

/** No mark has a smaller code. */
const FIRST_MARK = 0x300
/** Makes the character before it wide, and counts as wide for that reason. */
const EMOJI_STYLE = 0xfe0f
/** Properties of a character, as one number. */
const JOINS = 1
const widthOf = (properties: number): number => (properties >> 1) & 3

export function mendMarks(insides: Insides): void {
  const { _inputHandler: handler, unicodeService } = insides
  const parser = handler._parser
  const { print } = handler
  // A skin tone is a mark only where it comes at once: after a sequence, it is drawn by itself.
  const isMark = (code: number): boolean =>
    unicodeService.wcwidth(code) === 0 &&
    (code === EMOJI_STYLE || widthOf(unicodeService.charProperties(code, 0)) === 1)
  handler.print = (data, start, end) => {
    const code = data[start] ?? 0
    if (code >= FIRST_MARK && parser.precedingJoinState === 0 && isMark(code)) {
      const before = propertiesBefore(insides)
      if ((unicodeService.charProperties(code, before) & JOINS) !== 0) parser.precedingJoinState = before
    }
    print.call(handler, data, start, end)
  }
  limitClusters(insides)
}

const limited = new WeakSet<object>()

/** All lines have the method from one place. Without a limit, few bytes that repeat a mark would fill the memory. */
function limitClusters({ buffers }: Insides): void {
  const lines = Object.getPrototypeOf(buffers.normal.lines.get(0)) as InnerLine
  if (limited.has(lines)) return
  limited.add(lines)
  const { addCodepointToCell } = lines
  lines.addCodepointToCell = function (this: InnerLine, ...added) {
    if (!isFull(this, added[0])) addCodepointToCell.apply(this, added)
  }
}

const isFull = ({ _data, _combined }: InnerLine, column: number): boolean =>
  ((_data[column * LINE_WORDS] ?? 0) & HAS_CLUSTER) !== 0 &&
  (_combined[column]?.length ?? 0) >= LONGEST_CLUSTER

/** Those of the character left of the cursor; 0 without one. */
function propertiesBefore({ buffers, unicodeService }: Insides): number {
  let properties = 0
  for (const point of textBefore(buffers.active)) {
    properties = unicodeService.charProperties(point.codePointAt(0) ?? 0, properties)
  }
  return properties
}

/** What is in the cell left of the cursor; empty without one. */
export function textBefore({ x, y, ybase, lines }: InnerBuffer): string {
  const line = lines.get(ybase + y)
  if (line === undefined || x === 0) return ''
  const wide = x > 1 && line.getWidth(x - 1) === 0
  return line.getString(wide ? x - 2 : x - 1)
}
