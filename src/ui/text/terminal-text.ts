// The words in a recording of a terminal, without an emulator: sequences that move to another line become line breaks,
// those that move along a line become spaces, all others are dropped. Exact for shells, a help for reading full
// screens.

import { unreachable } from '../../core/model/unreachable.ts'
import { EscapeScanner, type TerminalToken } from './escape-scanner.ts'

const LINE_MOVES = /^[ABEFHLMSTdf]$/
const WIDEST_GAP = 200

export class TerminalText {
  readonly #scanner = new EscapeScanner()
  #line = ''
  #restarts = false
  #blank = true
  #lines: string[] = []

  /** Lines that this chunk completed. */
  feed(chunk: string): string[] {
    for (const token of this.#scanner.scan(chunk)) this.#take(token)
    return this.#drain()
  }

  /** The last line, if no line break ended it. */
  end(): string[] {
    if (this.#line !== '') this.#breakLine()
    return this.#drain()
  }

  #take(token: TerminalToken): void {
    switch (token.kind) {
      case 'text':
        this.#write(token.text)
        break
      case 'control':
        this.#control(token.char)
        break
      case 'csi':
        this.#move(token.final, Number.parseInt(token.params, 10) || 1)
        break
      case 'escape':
      case 'string':
        break
      default:
        unreachable(token)
    }
  }

  #write(text: string): void {
    this.#line = this.#restarts ? text : this.#line + text
    this.#restarts = false
  }

  #control(char: string): void {
    if (char === '\n') this.#breakLine()
    else if (char === '\r') this.#restarts = true
    else if (char === '\b') this.#line = this.#line.slice(0, -1)
    else if (char === '\t') this.#write(' '.repeat(8 - (this.#line.length % 8)))
  }

  #move(final: string, amount: number): void {
    if (final === 'C') this.#write(' '.repeat(Math.min(amount, WIDEST_GAP)))
    else if (final === 'G') this.#goToColumn(Math.min(amount, WIDEST_GAP))
    else if (LINE_MOVES.test(final) && this.#line !== '') this.#breakLine()
  }

  #goToColumn(column: number): void {
    this.#restarts = false
    this.#line = this.#line.length < column ? this.#line.padEnd(column - 1) : `${this.#line} `
  }

  #breakLine(): void {
    const line = this.#line.trimEnd()
    this.#line = ''
    this.#restarts = false
    if (line === '' && this.#blank) return
    this.#blank = line === ''
    this.#lines.push(line)
  }

  #drain(): string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}
