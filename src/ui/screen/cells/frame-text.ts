// Collects the text of a frame as bytes: thousands of short strings joined to one would have to be flattened and
// encoded once more when they are written.

const ROOM = 1 << 14
/** The most bytes that one code point takes. */
const LONGEST_CODE = 4

export class FrameText {
  #bytes = Buffer.allocUnsafeSlow(ROOM)
  #length = 0

  /** ASCII only. */
  ascii(text: string): void {
    const { length } = text
    this.#makeRoom(length)
    const bytes = this.#bytes
    let at = this.#length
    for (let index = 0; index < length; index++) bytes[at++] = text.charCodeAt(index)
    this.#length = at
  }

  text(text: string): void {
    this.#makeRoom(text.length * LONGEST_CODE)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** A code point that is no surrogate. */
  code(code: number): void {
    if (this.#length + LONGEST_CODE > this.#bytes.length) this.#makeRoom(LONGEST_CODE)
    const bytes = this.#bytes
    if (code < 0x80) {
      bytes[this.#length++] = code
      return
    }
    if (code < 0x800) bytes[this.#length++] = 0xc0 | (code >> 6)
    else {
      if (code < 0x10000) bytes[this.#length++] = 0xe0 | (code >> 12)
      else {
        bytes[this.#length++] = 0xf0 | (code >> 18)
        bytes[this.#length++] = 0x80 | ((code >> 12) & 0x3f)
      }
      bytes[this.#length++] = 0x80 | ((code >> 6) & 0x3f)
    }
    bytes[this.#length++] = 0x80 | (code & 0x3f)
  }

  /** Everything since the last call. */
  take(): string {
    const text = this.#bytes.toString('utf8', 0, this.#length)
    this.#length = 0
    return text
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(needed * 2)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
