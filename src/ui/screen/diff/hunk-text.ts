// The lines of one hunk, as places in the patch's bytes: 50,000 lines cost nothing until they are shown, and of a line
// of a megabyte only the beginning is ever read.

import type { LineKind, LineNumber, PatchHunk, PatchLine } from './patch-file.ts'

/** Bytes of a line that are worth showing. */
const SHOWN = 2000

const KINDS: Readonly<Record<number, LineKind>> = { 43: 'added', 45: 'removed', 92: 'note' }

export type HunkHead = Omit<PatchHunk, 'length' | 'line' | 'find'>

export class HunkText implements PatchHunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  readonly heading: string
  readonly #bytes: Buffer
  readonly #places: LinePlaces

  constructor(head: HunkHead, bytes: Buffer, places: LinePlaces) {
    this.oldStart = head.oldStart
    this.oldCount = head.oldCount
    this.newStart = head.newStart
    this.newCount = head.newCount
    this.heading = head.heading
    this.#bytes = bytes
    this.#places = places
  }

  get length(): number {
    return this.#places.length
  }

  line(at: number): PatchLine {
    const { start, end, old, fresh } = this.#places.at(at)
    const kind = this.#kind(start)
    const cut = end - start - 1 > SHOWN
    const stop = cut ? this.#wholeCharacter(start + 1 + SHOWN) : end
    return {
      kind,
      old: kind === 'added' || kind === 'note' ? null : old,
      new: kind === 'removed' || kind === 'note' ? null : fresh,
      text: this.#bytes.toString('utf8', Math.min(start + 1, stop), stop),
      cut,
    }
  }

  find({ side, number }: LineNumber): number {
    const without = side === 'new' ? 'removed' : 'added'
    let at = this.#places.find(side, number)
    while (at < this.length - 1 && this.#kind(this.#places.at(at).start) === without) at += 1
    return Math.min(at, this.length - 1)
  }

  #kind(start: number): LineKind {
    return KINDS[this.#bytes[start] ?? 0] ?? 'context'
  }

  /** The last place, at or before this one, where a UTF-8 character begins. */
  #wholeCharacter(place: number): number {
    let at = place
    while (at > place - 3 && ((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
    return at
  }
}

interface LinePlace {
  /** Place of the sign. */
  readonly start: number
  /** Place of the line feed. */
  readonly end: number
  /** The number that it has, or would have, on each side. */
  readonly old: number
  readonly fresh: number
}

/** Grows while a hunk is read. */
export class LinePlaces {
  readonly #starts: number[] = []
  readonly #olds: number[] = []
  readonly #news: number[] = []
  #end = 0

  get length(): number {
    return this.#starts.length
  }

  add({ start, end, old, fresh }: LinePlace): void {
    this.#starts.push(start)
    this.#olds.push(old)
    this.#news.push(fresh)
    this.#end = end
  }

  /** The first line with this number or a greater one, counting the number that a line would have. */
  find(side: 'old' | 'new', number: number): number {
    const numbers = side === 'old' ? this.#olds : this.#news
    let low = 0
    let high = numbers.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  at(index: number): LinePlace {
    const start = this.#starts[index]
    const old = this.#olds[index]
    const fresh = this.#news[index]
    if (start === undefined || old === undefined || fresh === undefined) {
      throw new RangeError(`the hunk has no line ${index}`)
    }
    const next = this.#starts[index + 1]
    return { start, end: next === undefined ? this.#end : next - 1, old, fresh }
  }
}
