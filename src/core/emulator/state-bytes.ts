// Numbers and texts as bytes: small ones are short. What is read was sent by another process, so every number is read
// together with the largest that makes sense.

const ROOM = 1 << 14
/** The most bytes of one number of 32 bits. */
const LONGEST_NUMBER = 5
/** Seven bits of a number in each byte; the eighth says that more follow. */
const MORE = 0x80

export class StateWriter {
  #bytes = Buffer.allocUnsafeSlow(ROOM)
  #length = 0

  /** A number of 32 bits without a sign. */
  number(value: number): void {
    if (this.#length + LONGEST_NUMBER > this.#bytes.length) this.#makeRoom(LONGEST_NUMBER)
    let rest = value >>> 0
    while (rest >= MORE) {
      this.#bytes[this.#length++] = (rest & (MORE - 1)) | MORE
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  text(text: string): void {
    const length = Buffer.byteLength(text)
    this.number(length)
    this.#makeRoom(length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Everything that was written. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(needed * 2)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Throws on anything that no writer has written. */
export class StateReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  number(most: number): number {
    let value = 0
    let shift = 0
    for (let byte = MORE; byte >= MORE; shift += 7) {
      byte = this.#bytes[this.#at++] ?? MORE << 1
      if (byte > 0xff || shift > 28) throw new Error('a number of the state is cut off')
      value += (byte & (MORE - 1)) * 2 ** shift
    }
    if (value > most) throw new Error(`a number of the state is ${value}, but ${most} at most`)
    return value
  }

  text(longest: number): string {
    const length = this.number(longest)
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Error('a text of the state is cut off')
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new Error('the state is longer than it should be')
  }
}
