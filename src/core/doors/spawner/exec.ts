// What is executed and how it ended. Every way of starting a process shares these two types.

/** A program with its arguments, where it works, and all of its environment. */
export interface Exec {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** The same, but variables may be undefined, as in `process.env`. The program does not get those. */
export interface LooseExec extends Omit<Exec, 'env'> {
  readonly env: NodeJS.ProcessEnv
}

export interface ExecEnd {
  readonly exit_code: number | null
  /** The name of the signal; null if the program exited by itself. */
  readonly exit_signal: string | null
}
