// The exit statuses of the command line by kind of refusal, and what each row of the table of errors has.

/** Exit statuses by kind. 0 is success; 1 is kept for a runner that failed. */
export const EXIT = {
  ok: 0,
  runner_failed: 1,
  usage: 2,
  not_found: 3,
  refused: 4,
  conflict: 5,
  unavailable: 6,
  internal: 70,
  interrupted: 130,
} as const

export interface ErrorRow {
  readonly exit: number
  readonly title: string
  readonly hint: string
}
