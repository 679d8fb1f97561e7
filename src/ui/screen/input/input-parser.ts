// Turns the bytes of a person's terminal into input events, wherever they are cut. It keeps no time: after an ESC,
// which may be the escape key or the beginning of another key, the caller waits for a moment and then calls `flush`.

import type { InputEvent } from './input-event.ts'
import { cutToken, LONGEST_SEQUENCE } from './input-token.ts'
import { ALT_HELD, charKey, namedKey } from './key-press.ts'
import { PasteReader } from './paste-reader.ts'
import { readToken } from './token-events.ts'

export interface InputParser {
  push(bytes: Uint8Array): readonly InputEvent[]
  /** Whether what is held back is a key by itself, if nothing follows within 25-50 ms. */
  pending(): boolean
  /** Says that nothing has followed. */
  flush(): InputEvent[]
}

export const createInputParser = (): InputParser => new Parser()

const PASTE_BEGIN = '\x1b[200~'
const KEYS_OF_ONE_BYTE: (readonly InputEvent[] | undefined)[] = new Array(256).fill(undefined)
/** What may be keys. Anything longer that is unfinished is a sequence that arrives slowly, and never becomes keys. */
const KEY_OR_MORE = /^(\x1b)?\x1b([[O\]P_])?$/

class Parser implements InputParser {
  #held = ''
  #paste: PasteReader | null = null

  push(bytes: Uint8Array): readonly InputEvent[] {
    const [byte] = bytes
    const alone = bytes.length === 1 && byte !== undefined && this.#held === '' && this.#paste === null
    return alone ? this.#readByte(byte, bytes) : this.#read(bytes)
  }

  /** A byte that is a key by itself always makes the same event, so that is kept. */
  #readByte(byte: number, bytes: Uint8Array): readonly InputEvent[] {
    const known = KEYS_OF_ONE_BYTE[byte]
    if (known !== undefined) return known
    const events = this.#read(bytes)
    if (this.#held === '') KEYS_OF_ONE_BYTE[byte] = events
    return events
  }

  #read(bytes: Uint8Array): InputEvent[] {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const events: InputEvent[] = []
    let rest: string | null = chunk
    while (rest !== null) {
      rest = this.#paste === null ? this.#readKeys(rest, events) : this.#readPaste(this.#paste, rest, events)
    }
    return events
  }

  /** What comes after the beginning of a paste; null if no paste begins. */
  #readKeys(chunk: string, events: InputEvent[]): string | null {
    const input = this.#held + chunk
    let at = 0
    this.#held = ''
    while (at < input.length) {
      const found = cutToken(input, at)
      if (found === null) {
        this.#held = shortenHeld(input.slice(at))
        return null
      }
      if (input.startsWith(PASTE_BEGIN, at)) {
        this.#paste = new PasteReader()
        return input.slice(found.end)
      }
      events.push(...readToken(found.token))
      at = found.end
    }
    return null
  }

  #readPaste(paste: PasteReader, chunk: string, events: InputEvent[]): string | null {
    const { texts, rest } = paste.read(chunk)
    events.push(...texts.map((text) => ({ kind: 'paste' as const, text })))
    if (rest !== null) this.#paste = null
    return rest
  }

  pending(): boolean {
    return this.#held !== '' && KEY_OR_MORE.test(this.#held)
  }

  flush(): InputEvent[] {
    const found = KEY_OR_MORE.exec(this.#held)
    if (found === null) return []
    this.#held = ''
    const [, before, introducer] = found
    return [
      ...(before === undefined ? [] : [namedKey('escape')]),
      introducer === undefined ? namedKey('escape') : charKey(introducer, ALT_HELD),
    ]
  }
}

/** Of an endless sequence nothing is kept but that it has not ended. */
function shortenHeld(held: string): string {
  if (held.length <= LONGEST_SEQUENCE) return held
  const introducer = held.slice(0, 2)
  if (introducer === '\x1b[') return '\x1b[>0'
  return `${introducer}${introducer === '\x1b_' ? 'G' : '0'}`
}
