// Bytes as they come from a growing file -> whole lines of text. Bytes that are not UTF-8 become U+FFFD.

import { StringDecoder } from 'node:string_decoder'

export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  /** The line that has not ended yet; joined once, however many chunks it takes. */
  #parts: string[] = []

  /** Lines that this chunk completed, without their line breaks. */
  feed(chunk: Uint8Array): string[] {
    const [first = '', ...more] = this.#decoder.write(Buffer.from(chunk)).split('\n')
    this.#parts.push(first)
    const last = more.pop()
    if (last === undefined) return []
    const line = this.#parts.join('')
    this.#parts = [last]
    return [line, ...more]
  }

  /** A last line without a line break. */
  end(): string[] {
    const rest = this.#parts.join('') + this.#decoder.end()
    this.#parts = []
    return rest === '' ? [] : [rest]
  }
}
