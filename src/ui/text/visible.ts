// Text that an agent can influence (names, prompts, paths, subjects, logs, diffs) may have bytes that command a
// terminal or change the order in which a person reads. Such characters are turned into words that can be seen.

/** C0, DEL, C1, bidirectional controls, line separators, invisible and tag characters, lone surrogates. */
const UNSAFE =
  /[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** A text like this needs no closer look. Most cells of most lists are such texts. */
const PLAIN = /^[\x20-\x7e\u2026]*$/

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * One line that is safe to print: no control character, no line break, no reordering. Applying it twice changes
 * nothing.
 */
export function makeVisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, (char) => NAMED[char] ?? escapeCode(char))
}

/** Writes the same characters as \u escapes, so that the JSON keeps its value. */
export const escapeUnsafeJson = (json: string): string =>
  json.replace(UNSAFE, (char) =>
    char === '\n'
      ? char
      : [...Array(char.length).keys()].map((at) => `\\u${hex(char.charCodeAt(at), 4)}`).join(''),
  )

/** The lines of a text, with tabs as spaces. */
export function splitLines(text: string): string[] {
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => expandTabs(line))
}

export interface TabStops {
  readonly every: number
  /** Cells before the text in its line. */
  readonly from: number
}

/** Replaces tabs: a tab would break columns, and its width depends on its place. */
export function expandTabs(line: string, { every, from }: TabStops = { every: 8, from: 0 }): string {
  if (!line.includes('\t')) return line
  return line
    .split('\t')
    .reduce((before, part) => `${before}${' '.repeat(every - ((from + before.length) % every))}${part}`)
}

function escapeCode(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
