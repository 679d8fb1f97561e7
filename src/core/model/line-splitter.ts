// Makes lines of chunks that are cut anywhere, in bounded memory: of a line that is longer than the bound, only the
// beginning is kept. Pure, apart from its own state.

export interface SplitLine {
  /** Without the newline, decoded as UTF-8 with invalid bytes replaced. */
  readonly text: string
  /** If `text` is only the beginning of the line: the length of the whole line in bytes. */
  readonly cut_from: number | null
}

const NEWLINE = 0x0a

export class LineSplitter {
  readonly #longest: number
  #parts: Buffer[] = []
  #kept = 0
  #length = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  /** Calls `onLine` for each line that this chunk completes. */
  push(chunk: Buffer, onLine: (line: SplitLine) => void): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      onLine(this.#finish(chunk, start, end))
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  /** Calls `onLine` for the last line, if it had no newline. */
  end(onLine: (line: SplitLine) => void): void {
    if (this.#length > 0) onLine(this.#take())
  }

  /** Most lines lie in one chunk and are decoded where they are. Copies of them would be most of a host's garbage. */
  #finish(chunk: Buffer, start: number, end: number): SplitLine {
    if (this.#length === 0 && end - start <= this.#longest) {
      return { text: chunk.toString('utf8', start, end), cut_from: null }
    }
    this.#keep(chunk.subarray(start, end))
    return this.#take()
  }

  /** Copies the bytes, because the caller uses its buffer again. */
  #keep(bytes: Buffer): void {
    this.#length += bytes.length
    const room = this.#longest - this.#kept
    if (bytes.length === 0 || room === 0) return
    const part = Buffer.from(bytes.subarray(0, room))
    this.#parts.push(part)
    this.#kept += part.length
  }

  #take(): SplitLine {
    const text = Buffer.concat(this.#parts, this.#kept).toString('utf8')
    const line = { text, cut_from: this.#length > this.#kept ? this.#length : null }
    this.#parts = []
    this.#kept = 0
    this.#length = 0
    return line
  }
}
