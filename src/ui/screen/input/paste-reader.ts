// Collects a bracketed paste up to its end. Everything in it is text: a paste never becomes keys, whatever it contains
// and however long it is.

const PASTE_END = '\x1b[201~'
/** Bytes. A longer paste is passed on in parts, so that one without an end does not fill the memory. */
const LARGEST_PASTE = 8 << 20

export interface PasteRead {
  readonly texts: readonly string[]
  /** What comes after the end; null if the end has not come yet. */
  readonly rest: string | null
}

export class PasteReader {
  readonly #limit: number
  #parts: string[] = []
  #length = 0
  /** The last bytes, which may hold the beginning of the end. */
  #tail = ''

  constructor(limit = LARGEST_PASTE) {
    this.#limit = limit
  }

  /** Bytes as latin1 text. */
  read(chunk: string): PasteRead {
    const input = this.#tail + chunk
    const end = input.indexOf(PASTE_END)
    const sure = end < 0 ? Math.max(0, input.length - PASTE_END.length + 1) : end
    const texts = this.#keep(input.slice(0, sure))
    this.#tail = input.slice(sure)
    if (end < 0) return { texts, rest: null }
    return { texts: [...texts, decode(this.#take())], rest: input.slice(end + PASTE_END.length) }
  }

  #keep(bytes: string): string[] {
    const texts: string[] = []
    let left = bytes
    while (this.#length + left.length > this.#limit) {
      const room = this.#limit - this.#length
      this.#add(left.slice(0, room))
      left = left.slice(room)
      const full = this.#take()
      const cut = wholeCharacters(full)
      texts.push(decode(full.slice(0, cut)))
      this.#add(full.slice(cut))
    }
    this.#add(left)
    return texts
  }

  #add(bytes: string): void {
    if (bytes === '') return
    this.#parts.push(bytes)
    this.#length += bytes.length
  }

  #take(): string {
    const whole = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return whole
  }
}

/** Where the last character begins, if it may be incomplete. */
function wholeCharacters(bytes: string): number {
  const unfinished = /[\xc2-\xf4][\x80-\xbf]{0,2}$/.exec(bytes)
  return unfinished === null || unfinished.index === 0 ? bytes.length : unfinished.index
}

/** Terminals send line breaks as CR, LF or both. */
const decode = (bytes: string): string =>
  Buffer.from(bytes, 'latin1').toString('utf8').replace(/\r\n?/g, '\n')
