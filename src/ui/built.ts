// What a program is told by its way in, which knows where the built files lie.

export interface Built {
  readonly version: string
  /** Path of the built command line. */
  readonly program: string
  /** Path of the built host, which lies beside it. */
  readonly hostEntry: string
}
