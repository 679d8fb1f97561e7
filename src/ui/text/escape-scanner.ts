// Cuts terminal output into text and escape sequences, across chunks. It decides nothing: whoever reads the tokens says
// what may pass, and what a sequence means for the text.

export type TerminalToken =
  | { readonly kind: 'text'; readonly text: string }
  /** One control character outside any sequence. */
  | { readonly kind: 'control'; readonly char: string }
  /** ESC, intermediates and a final byte, neither CSI nor a string. `text` is without the ESC. */
  | { readonly kind: 'escape'; readonly text: string }
  /** `prefix` is one of < = > ? or empty. */
  | {
      readonly kind: 'csi'
      readonly prefix: string
      readonly params: string
      readonly intermediates: string
      readonly final: string
    }
  /** OSC `]`, DCS `P`, SOS `X`, PM `^` or APC `_`, with what is inside. */
  | { readonly kind: 'string'; readonly introducer: string; readonly body: string }

const TEXT = /[^\x00-\x1f\x7f-\x9f]+/y
const CSI = /(?:\x1b\[|\x9b)([<-?]?)([0-;]*)([ -/]*)([@-~])/y
const STRING =
  /(?:\x1b([\]PX^_])|([\x90\x98\x9d-\x9f]))([^\x07\x18\x1a\x1b\x9c]*)(?:\x07|\x18|\x1a|\x9c|\x1b\\|(?=\x1b[^\\]))/y
const ESCAPE = /\x1b([ -/]*[0-OQ-WYZ\\`-~])/y
const UNFINISHED =
  /(?:\x1b[ -/]*|(?:\x1b\[|\x9b)[<-?]?[0-;]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x9c]*\x1b?)$/y

/** A string sequence that grows longer is dropped: it is of no use and could be held for ever. */
const LONGEST_HELD = 1 << 20

export class EscapeScanner {
  #held = ''

  /** `chunk` is decoded text. A sequence at its end that is not complete is held until the rest comes. */
  scan(chunk: string): TerminalToken[] {
    const input = this.#held + chunk
    const tokens: TerminalToken[] = []
    let at = 0
    this.#held = ''
    while (at < input.length) {
      const found = readTerminalToken(input, at)
      if (found === null) {
        this.#held = input.length - at > LONGEST_HELD ? '' : input.slice(at)
        break
      }
      tokens.push(found.token)
      at = found.end
    }
    return tokens
  }
}

interface ScannedToken {
  readonly token: TerminalToken
  readonly end: number
}

/** null if the rest of the input is the beginning of a sequence. */
function readTerminalToken(input: string, at: number): ScannedToken | null {
  const text = matchTokenAt(TEXT, input, at)
  if (text !== null) return { token: { kind: 'text', text: text[0] }, end: at + text[0].length }
  const sequence = readSequence(input, at)
  if (sequence !== null) return sequence
  if (matchTokenAt(UNFINISHED, input, at) !== null) return null
  return { token: { kind: 'control', char: input.charAt(at) }, end: at + 1 }
}

function readSequence(input: string, at: number): ScannedToken | null {
  const csi = matchTokenAt(CSI, input, at)
  if (csi !== null) {
    const [whole, prefix = '', params = '', intermediates = '', final = ''] = csi
    return { token: { kind: 'csi', prefix, params, intermediates, final }, end: at + whole.length }
  }
  const string = matchTokenAt(STRING, input, at)
  if (string !== null) {
    const introducer = string[1] ?? sevenBit(string[2] ?? '')
    return { token: { kind: 'string', introducer, body: string[3] ?? '' }, end: at + string[0].length }
  }
  const simple = matchTokenAt(ESCAPE, input, at)
  if (simple === null) return null
  return { token: { kind: 'escape', text: simple[1] ?? '' }, end: at + simple[0].length }
}

function matchTokenAt(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(input)
}

const sevenBit = (c1: string): string => String.fromCharCode(c1.charCodeAt(0) - 0x40)
