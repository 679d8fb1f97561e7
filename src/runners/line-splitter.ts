// From chunks as a pipe delivers them to whole lines. A character may be torn between chunks, a line may be endless;
// neither may cost a byte of text or all of the memory. PURE apart from its own state.

import { StringDecoder } from 'node:string_decoder'

/** A longer line is passed on in pieces. The longest that was seen from a real runner is below 1 MB. */
const LONGEST_LINE = 16 * 1024 * 1024

export interface LineSplitter {
  /** Lines that ended in this chunk, without their newline or carriage return. */
  push(chunk: Uint8Array): readonly string[]
  /** What is left without a newline: no line, or one. */
  end(): readonly string[]
}

export function createLineSplitter(longest: number = LONGEST_LINE): LineSplitter {
  const decoder = new StringDecoder('utf8')
  // The unfinished line in pieces: joining them at each chunk would make a long line quadratic.
  let pieces: string[] = []
  let length = 0
  const keep = (text: string): void => {
    if (text !== '') pieces.push(text)
    length += text.length
  }
  const take = (): string => {
    const line = pieces.join('')
    pieces = []
    length = 0
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
  return {
    push(chunk) {
      const [first = '', ...rest] = decoder.write(chunk).split('\n')
      keep(first)
      const lines = rest.map((text) => {
        const line = take()
        keep(text)
        return line
      })
      return length > longest ? [...lines, take()] : lines
    },
    end() {
      keep(decoder.end())
      return length === 0 ? [] : [take()]
    },
  }
}
