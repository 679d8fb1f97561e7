// The one error of the product, with a code of the table.

import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

export interface ErrorOptions {
  /** What to type next, where the table's general advice can be made exact. */
  readonly hint?: string
  /** Facts for scripts, shown by --json: names of files, ids, exit codes. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The one error of the product. `message` says what happened and why, without the code and without the hint. */
export class AgencyError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string = ERROR_CODES[code].title, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AgencyError'
    this.code = code
    this.hint = options.hint ?? ERROR_CODES[code].hint
    this.details = options.details ?? {}
  }

  get exitStatus(): number {
    return ERROR_CODES[this.code].exit
  }
}
