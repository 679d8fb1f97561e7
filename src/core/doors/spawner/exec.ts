// What is executed, and how it ended: the two words that every way of starting a process shares.

/** A program with its arguments, where it works, and all of its environment. */
export interface Exec {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** The same with an environment as Node has it: what is undefined in it is left out. */
export interface LooseExec extends Omit<Exec, 'env'> {
  readonly env: NodeJS.ProcessEnv
}

export interface ExecEnd {
  readonly exit_code: number | null
  /** Its name; null where it exited by itself. */
  readonly exit_signal: string | null
}
