// What `ui/main.ts`, which knows where the built files lie, tells each program.

export interface Built {
  readonly version: string
  /** Path of the built command line. */
  readonly program: string
  /** Path of the built host, which lies beside it. */
  readonly hostEntry: string
}
