// A mark that comes after a sequence (`e`, a change of colour, then an accent) belongs to the character left of the
// cursor, as in every terminal. The emulator joins only what comes at once, and would give it a cell of its own.

import type { InnerBuffer, Insides } from './xterm-insides.ts'

/** No mark has a smaller code. */
const FIRST_MARK = 0x300
/** Properties of a character, as one number. */
const JOINS = 1
const widthOf = (properties: number): number => (properties >> 1) & 3

export function mendMarks(insides: Insides): void {
  const { _inputHandler: handler, unicodeService } = insides
  const parser = handler._parser
  const isMark = (code: number): boolean =>
    code >= FIRST_MARK &&
    unicodeService.wcwidth(code) === 0 &&
    widthOf(unicodeService.charProperties(code, 0)) === 1
  parser.setPrintHandler((data, start, end) => {
    const code = data[start] ?? 0
    if (code >= FIRST_MARK && parser.precedingJoinState === 0 && isMark(code)) {
      const before = propertiesBefore(insides)
      if ((unicodeService.charProperties(code, before) & JOINS) !== 0) parser.precedingJoinState = before
    }
    handler.print(data, start, end)
  })
}

/** Those of the character left of the cursor; 0 without one. */
function propertiesBefore({ buffers, unicodeService }: Insides): number {
  let properties = 0
  for (const point of textBefore(buffers.active)) {
    properties = unicodeService.charProperties(point.codePointAt(0) ?? 0, properties)
  }
  return properties
}

function textBefore({ x, y, ybase, lines }: InnerBuffer): string {
  const line = lines.get(ybase + y)
  if (line === undefined || x === 0) return ''
  const wide = x > 1 && line.getWidth(x - 1) === 0
  return line.getString(wide ? x - 2 : x - 1)
}
