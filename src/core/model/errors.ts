// The one error class of the product. Each error has a code of the table.

import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

export interface ErrorOptions {
  /** What to type next, if it can be more exact than the table's general hint. */
  readonly hint?: string
  /** Facts for scripts, shown by --json: names of files, ids, exit codes. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** `message` says what happened and why, without the code and without the hint. */
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

/** What an error says, whoever threw it. */
export const messageOfError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
