// The shape of a row in the table of commands, and of what a command returns.

import type { Agency } from '../../../core/facade/agency.ts'
import type { CommandConsole } from '../../person/console.ts'
import type { Line } from '../../text/line.ts'

/** What completion offers for a value: a kind of word, or the words themselves. */
export type Completes =
  | 'worktree'
  | 'invocation'
  /** Numbers of checkpoints of the invocation that was typed before it. */
  | 'checkpoint'
  | 'runner'
  | 'file'
  | 'directory'
  | 'nothing'
  | readonly string[]

export interface ArgumentRow {
  readonly name: string
  readonly completes: Completes
  readonly optional?: boolean
  readonly repeats?: boolean
}

export interface OptionRow {
  /** As commander writes it: `--prompt-file <file>`, `-C, --directory <dir>`, `--no-start`. */
  readonly flags: string
  readonly summary: string
  readonly repeats?: boolean
  readonly required?: boolean
  readonly completes?: Completes
}

export interface Example {
  readonly line: string
  readonly says: string
}

/** A row whose command needs only the part `A` of the facade. */
export interface CommandRow<A = Agency> {
  /** `['agent', 'start']` */
  readonly path: readonly string[]
  /** One sentence without a full stop. */
  readonly summary: string
  /** More text for --help: what the command does to what, and any special exit statuses. */
  readonly description?: string
  readonly args?: readonly ArgumentRow[]
  readonly options?: readonly OptionRow[]
  /** Accepts arguments after `--`. */
  readonly rest?: boolean
  readonly examples: readonly [Example, ...Example[]]
  readonly run: (call: Call<A>) => Promise<Result>
}

/** One call of a command, parsed. Options have their long name without dashes. */
export interface Call<A = Agency> {
  readonly args: readonly string[]
  readonly rest: readonly string[]
  readonly json: boolean
  readonly console: CommandConsole<A>
  /** The directory of -C, or the working directory. */
  readonly cwd: string
  flag(name: string): boolean
  text(name: string): string | undefined
  list(name: string): readonly string[]
  /** Opens the repository that `cwd` is in. Always returns the same facade. */
  agency(): Promise<A>
  /** Writes lines to standard error while work goes on. */
  say(...lines: readonly Line[]): void
}

export interface Page {
  /** Width in cells. Infinity if the output is not a terminal, so that nothing is cut off. */
  readonly columns: number
  readonly now: Date
}

interface Answer {
  /** What --json shows as `data`. A getter if it takes time to make. */
  readonly data: unknown
  /** Exit status. 0 unless a runner has failed or something was found. */
  readonly status?: number
}

/** `verbatim` is written byte for byte: paths, scripts and patches that another program reads. */
export type Result = Answer &
  ({ readonly view: (page: Page) => readonly Line[] } | { readonly verbatim: string | Uint8Array })

/** The operand at this place. The parser has checked that there is one. */
export const operand = (call: Call<unknown>, at = 0): string => call.args[at] ?? ''

/** `agent start` */
export const commandName = (row: Pick<CommandRow, 'path'>): string => row.path.join(' ')
