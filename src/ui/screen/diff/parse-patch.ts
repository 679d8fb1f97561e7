// Reads the output of `git diff`. The lines of a hunk are counted by the numbers in its heading, so that no line
// written by an agent is ever taken for one of git's, whatever it looks like.

import { type HunkHead, HunkText, LinePlaces } from './hunk-text.ts'
import type { PatchFile, PatchHunk } from './patch-file.ts'
import { readHeader } from './patch-header.ts'

const LINE_FEED = 0x0a
const BACKSLASH = 0x5c
const FILE = 'diff --git '
const HUNK_HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s

/** Skips what comes before the first file, and anything that is no patch. */
export function parsePatch(bytes: Uint8Array): PatchFile[] {
  const reader = new PatchReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const files: PatchFile[] = []
  while (reader.findFile()) files.push(reader.readFile())
  return files
}

class PatchReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Also skips the data of a binary file, whatever its size. */
  findFile(): boolean {
    if (this.#startsWith(FILE)) return true
    const found = this.#bytes.indexOf(`\n${FILE}`, this.#at)
    this.#at = found < 0 ? this.#bytes.length : found + 1
    return found >= 0
  }

  readFile(): PatchFile {
    const lines = [this.#takeLine('latin1').slice(FILE.length)]
    while (this.#at < this.#bytes.length && !this.#startsWith(FILE) && !this.#startsWith('@@ ')) {
      const line = this.#takeLine('latin1')
      lines.push(line)
      if (line === 'GIT binary patch') break
    }
    return { ...readHeader(lines), hunks: this.#readHunks() }
  }

  #readHunks(): PatchHunk[] {
    const hunks: PatchHunk[] = []
    while (this.#startsWith('@@ ')) {
      const head = readHunkHead(this.#takeLine('utf8'))
      if (head === null) break
      hunks.push(new HunkText(head, this.#bytes, this.#readLines(head)))
    }
    return hunks
  }

  #readLines({ oldStart, oldCount, newStart, newCount }: HunkHead): LinePlaces {
    const places = new LinePlaces()
    let old = oldStart
    let fresh = newStart
    while (this.#at < this.#bytes.length) {
      const start = this.#at
      const sign = this.#bytes[start]
      const over = old >= oldStart + oldCount && fresh >= newStart + newCount
      if (over && sign !== BACKSLASH) break
      const end = this.#lineEnd()
      places.add({ start, end, old, fresh })
      if (sign !== 0x2b && sign !== BACKSLASH) old += 1
      if (sign !== 0x2d && sign !== BACKSLASH) fresh += 1
      this.#at = end + 1
    }
    return places
  }

  #takeLine(encoding: 'latin1' | 'utf8'): string {
    const start = this.#at
    const end = this.#lineEnd()
    this.#at = end + 1
    return this.#bytes.toString(encoding, start, end)
  }

  #lineEnd(): number {
    const found = this.#bytes.indexOf(LINE_FEED, this.#at)
    return found < 0 ? this.#bytes.length : found
  }

  #startsWith(text: string): boolean {
    return this.#bytes.toString('latin1', this.#at, this.#at + text.length) === text
  }
}

function readHunkHead(line: string): HunkHead | null {
  const found = HUNK_HEAD.exec(line)
  if (found === null) return null
  const [, oldStart, oldCount, newStart, newCount, heading = ''] = found
  return {
    oldStart: Number(oldStart),
    oldCount: Number(oldCount ?? 1),
    newStart: Number(newStart),
    newCount: Number(newCount ?? 1),
    heading,
  }
}
