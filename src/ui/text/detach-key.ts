// Finds Ctrl-\ in what a person types, in all the forms in which terminals send it. All other keys are for the agent.

/** In kitty's keyboard protocol, and in xterm's modifyOtherKeys. */
const ENCODED = /\x1b\[(?:92(?::[\d:]*)?;(?<kitty>\d+)(?::(?<event>\d))?(?:;[\d:]*)?u|27;(?<xterm>\d+);92~)/g
/** The beginning of one of these at the end of a chunk. */
const UNFINISHED = /\x1b(?:\[(?:9|92(?::[\d:]*)?(?:;[\d:;]*)?|2|27(?:;[\d;]*)?)?)?$/

const CTRL = 4
const LOCKS = 64 | 128
const RELEASE = '3'

export interface Typed {
  /** To be sent to the agent now. */
  readonly forward: string
  /** Kept until the next chunk, or for a short while, because it may be the beginning of the key. */
  readonly held: string
  readonly detach: boolean
}

/** `bytes` is latin1 text. What comes after the key is dropped. */
export function readTyped(held: string, bytes: string): Typed {
  const input = held + bytes
  const at = findDetach(input)
  if (at >= 0) return { forward: input.slice(0, at), held: '', detach: true }
  const rest = UNFINISHED.exec(input)?.[0] ?? ''
  return { forward: input.slice(0, input.length - rest.length), held: rest, detach: false }
}

function findDetach(input: string): number {
  const plain = input.indexOf('\x1c')
  const encoded = [...input.matchAll(ENCODED)].find(isCtrlBackslash)?.index ?? -1
  if (plain < 0 || encoded < 0) return Math.max(plain, encoded)
  return Math.min(plain, encoded)
}

function isCtrlBackslash({ groups }: RegExpMatchArray): boolean {
  const modifiers = Number(groups?.['kitty'] ?? groups?.['xterm']) - 1
  return (modifiers & ~LOCKS) === CTRL && groups?.['event'] !== RELEASE
}
