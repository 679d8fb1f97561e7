// Bytes as they come from a growing file -> whole lines of text. Bytes that are not UTF-8 become U+FFFD.

import { StringDecoder } from 'node:string_decoder'

export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  /** Lines that this chunk completed, without their line breaks. */
  feed(chunk: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.write(Buffer.from(chunk))).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines
  }

  /** A last line without a line break. */
  end(): string[] {
    const rest = this.#rest + this.#decoder.end()
    this.#rest = ''
    return rest === '' ? [] : [rest]
  }
}
