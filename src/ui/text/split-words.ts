// Splits a command such as $EDITOR into words, without a shell that would expand or run anything.

const PIECE = /\s*((?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)/gsy
const QUOTED = /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)/gs

/**
 * Spaces separate words, quotes keep them together, a backslash takes the next character as it is. null if a quote is
 * not closed.
 */
export function splitWords(command: string): string[] | null {
  const words = [...command.matchAll(PIECE)]
  const end = words.reduce((sum, [whole]) => sum + whole.length, 0)
  return command.slice(end).trim() === '' ? words.map(([, word = '']) => unquoteWord(word)) : null
}

function unquoteWord(word: string): string {
  let plain = ''
  let end = 0
  for (const found of word.matchAll(QUOTED)) {
    const { single, double, escaped } = found.groups ?? {}
    plain += word.slice(end, found.index) + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '')
    end = found.index + found[0].length
  }
  return plain + word.slice(end)
}
