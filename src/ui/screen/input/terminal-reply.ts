// What the person's terminal answers to questions of ours, or sends by itself. It is never a key.

import type { TerminalReply } from './input-event.ts'

export const OTHER_REPLY: TerminalReply = { kind: 'reply', reply: { of: 'other' } }

/** A CSI whose parameters begin with one of `< = > ?`. */
export function readPrivateCsi(params: string, final: string): TerminalReply {
  const flags = /^\?(\d+)$/.exec(params)?.[1]
  if (final === 'u' && flags !== undefined)
    return { kind: 'reply', reply: { of: 'keyboard', flags: Number(flags) } }
  if (final === 'c' && params.startsWith('?')) return { kind: 'reply', reply: { of: 'attributes' } }
  return OTHER_REPLY
}

const BACKGROUND = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i

/** OSC `]`, DCS `P`, APC `_`. */
export function readString(introducer: string, body: string): TerminalReply {
  const found = introducer === ']' ? BACKGROUND.exec(body) : null
  if (found === null) return OTHER_REPLY
  const [, red = '', green = '', blue = ''] = found
  return { kind: 'reply', reply: { of: 'background', red: byte(red), green: byte(green), blue: byte(blue) } }
}

/** 0 to 255, of one to four hex digits. */
const byte = (digits: string): number =>
  Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255)
