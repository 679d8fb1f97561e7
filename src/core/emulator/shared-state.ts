// Things that many cells share (looks, clusters, links), written once and afterwards called by their numbers.

import type { StateReader, StateWriter } from './state-bytes.ts'

export class SharedWriter {
  readonly #writer: StateWriter
  readonly #numbers = new Map<string, number>()

  constructor(writer: StateWriter) {
    this.#writer = writer
  }

  /** A number that was not written before is followed by the thing itself. */
  write(key: string, define: (writer: StateWriter) => void): void {
    const known = this.#numbers.get(key)
    this.#writer.number(known ?? this.#numbers.size)
    if (known !== undefined) return
    this.#numbers.set(key, this.#numbers.size)
    define(this.#writer)
  }
}

export class SharedReader<T> {
  readonly #reader: StateReader
  readonly #define: (reader: StateReader) => T
  readonly #things: T[] = []

  constructor(reader: StateReader, define: (reader: StateReader) => T) {
    this.#reader = reader
    this.#define = define
  }

  read(): T {
    const number = this.#reader.number(this.#things.length)
    const known = this.#things[number]
    if (known !== undefined) return known
    const thing = this.#define(this.#reader)
    this.#things.push(thing)
    return thing
  }
}
