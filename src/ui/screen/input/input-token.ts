// Cuts what a person's terminal sends into characters and sequences. The input is bytes as latin1 text; what they mean
// is for those who read the tokens.

export type InputToken =
  /** One character of text. */
  | { readonly kind: 'char'; readonly char: string; readonly alt: boolean }
  | { readonly kind: 'control'; readonly code: number; readonly alt: boolean }
  | { readonly kind: 'escape' }
  /** `ESC O`, and perhaps the number of the modifiers. */
  | { readonly kind: 'ss3'; readonly params: string; readonly final: string; readonly alt: boolean }
  | { readonly kind: 'csi'; readonly params: string; readonly final: string; readonly alt: boolean }
  /** The three bytes of the old mouse report. */
  | { readonly kind: 'mouse'; readonly bytes: string }
  /** OSC `]`, DCS `P` or APC `_`, with what stood inside. */
  | { readonly kind: 'string'; readonly introducer: string; readonly body: string }
  /** Whole, but too long to be anything of use. */
  | { readonly kind: 'long' }
  /** Broken: worth nothing. */
  | { readonly kind: 'nothing' }

export interface FoundToken {
  readonly token: InputToken
  readonly end: number
}

/** Beyond this a sequence is let go by. */
export const LONGEST_SEQUENCE = 4096

/** Linux' console sends `CSI [ A` for F1, and rxvt ends a key with shift by a `$`. */
const CSI = /\x1b\[(?:(\[)([A-E])|(\d{1,2})(\$)|(?!M|\[(?:[A-E]|$))([ -?]*)([@-~]))/y
const CSI_BEGUN = /\x1b\[(?:[ -?]*|\[|M[\x00-\xff]{0,2})$/y
const CSI_BROKEN = /\x1b\[[ -?]+/y
const MOUSE = /\x1b\[M([\x00-\xff]{3})/y
const SS3 = /\x1bO((?:1;)?\d{0,2})([ -/:-~])/y
const SS3_BEGUN = /\x1bO(?:1;)?\d{0,2}$/y
/** Only what can be the answer to a question: otherwise it is a key with alt. */
const STRING = /\x1b(?=\]\d|P[\d>=!+$|]|_G)([\]P_])([^\x00-\x1f\x7f]*)(?:\x07|\x1b\\)/y
const STRING_BEGUN = /\x1b(?:[\]P_]|(?:\]\d|P[\d>=!+$|]|_G)[^\x00-\x1f\x7f]*\x1b?)$/y
const STRING_BROKEN = /\x1b(?:\]\d|P[\d>=!+$|]|_G)[^\x00-\x1f\x7f]*/y
/** A key that may stand behind the ESC of alt. */
const ALT_KEY =
  /\x1b(?:O(?:1;)?\d?[A-DFHP-SMa-d]|\[(?:\[[A-E]|(?:1;\d{1,2})?[A-DFHP-SZa-d]|(?!20[01])\d{1,2}(?:;\d{1,2})?[~^$@]))/y
const ALT_KEY_BEGUN = /\x1b(?:O(?:1;?)?\d?|\[(?:\[|\d{0,2}(?:;\d{0,2})?))$/y

/** null where the rest of the input is the beginning of something longer. */
export function cutToken(input: string, at: number): FoundToken | null {
  if (input.charAt(at) !== '\x1b') return cutCharacter(input, at, false)
  const found = cutSequence(input, at)
  const tooLong = found !== null && found.end - at > LONGEST_SEQUENCE && found.token.kind !== 'nothing'
  return tooLong ? { token: { kind: 'long' }, end: found.end } : found
}

function cutSequence(input: string, at: number): FoundToken | null {
  switch (input.charAt(at + 1)) {
    case '':
      return null
    case '\x1b':
      return cutAltKey(input, at)
    case '[':
      return cutCsi(input, at)
    case 'O':
      return cutSs3(input, at)
    case ']':
    case 'P':
    case '_':
      return cutString(input, at)
    default:
      return cutAltCharacter(input, at)
  }
}

/** ESC before ESC: alt with a key of many bytes, or the escape key and then whatever comes. */
function cutAltKey(input: string, at: number): FoundToken | null {
  if (input.length === at + 2 || matchInputAt(ALT_KEY_BEGUN, input, at + 1) !== null) return null
  if (matchInputAt(ALT_KEY, input, at + 1) === null) return { token: { kind: 'escape' }, end: at + 1 }
  const found = cutSequence(input, at + 1)
  if (found === null || !('alt' in found.token)) return found
  return { token: { ...found.token, alt: true }, end: found.end }
}

function cutCsi(input: string, at: number): FoundToken | null {
  const csi = matchInputAt(CSI, input, at)
  if (csi !== null) {
    const params = csi[1] ?? csi[3] ?? csi[5] ?? ''
    const final = csi[2] ?? csi[4] ?? csi[6] ?? ''
    return { token: { kind: 'csi', params, final, alt: false }, end: at + csi[0].length }
  }
  const mouse = matchInputAt(MOUSE, input, at)
  if (mouse !== null) return { token: { kind: 'mouse', bytes: mouse[1] ?? '' }, end: at + mouse[0].length }
  return cutBroken(input, at, { begun: CSI_BEGUN, broken: CSI_BROKEN })
}

function cutSs3(input: string, at: number): FoundToken | null {
  const ss3 = matchInputAt(SS3, input, at)
  if (ss3 !== null) {
    const [whole, params = '', final = ''] = ss3
    return { token: { kind: 'ss3', params, final, alt: false }, end: at + whole.length }
  }
  return cutBroken(input, at, { begun: SS3_BEGUN })
}

function cutString(input: string, at: number): FoundToken | null {
  const string = matchInputAt(STRING, input, at)
  if (string !== null) {
    const [whole, introducer = '', body = ''] = string
    return { token: { kind: 'string', introducer, body }, end: at + whole.length }
  }
  return cutBroken(input, at, { begun: STRING_BEGUN, broken: STRING_BROKEN })
}

/** What is cut off by a control character is worth nothing; what never was a sequence is a key with alt. */
function cutBroken(
  input: string,
  at: number,
  { begun, broken }: { readonly begun: RegExp; readonly broken?: RegExp },
): FoundToken | null {
  if (matchInputAt(begun, input, at) !== null) return null
  const rest = broken === undefined ? null : matchInputAt(broken, input, at)
  if (rest !== null) return { token: { kind: 'nothing' }, end: at + rest[0].length }
  return cutAltCharacter(input, at)
}

function cutAltCharacter(input: string, at: number): FoundToken | null {
  const found = cutCharacter(input, at + 1, true)
  return found?.token.kind === 'nothing' ? { token: { kind: 'escape' }, end: found.end } : found
}

function cutCharacter(input: string, at: number, alt: boolean): FoundToken | null {
  const code = input.charCodeAt(at)
  if (code < 0x20 || code === 0x7f) return { token: { kind: 'control', code, alt }, end: at + 1 }
  if (code < 0x80) return { token: { kind: 'char', char: input.charAt(at), alt }, end: at + 1 }
  return cutUtf8(input, at, alt)
}

function cutUtf8(input: string, at: number, alt: boolean): FoundToken | null {
  const length = lengthOfUtf8(input.charCodeAt(at))
  let end = at + 1
  while (end < at + length && isContinuation(input.charCodeAt(end))) end += 1
  if (end === input.length && end < at + length) return null
  const char = end === at + length ? decodeCharacter(input.slice(at, end)) : null
  return { token: char === null ? { kind: 'nothing' } : { kind: 'char', char, alt }, end }
}

function lengthOfUtf8(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : 4
}

const isContinuation = (code: number): boolean => code >= 0x80 && code <= 0xbf

const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** null for what is not UTF-8, and for control characters. */
function decodeCharacter(bytes: string): string | null {
  try {
    const char = utf8Decoder.decode(Buffer.from(bytes, 'latin1'))
    return char >= '\xa0' ? char : null
  } catch {
    return null
  }
}

function matchInputAt(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(input)
}
