// The shape of a row in the table of commands, and of what running one gives.

import type { Agency } from '../../../core/facade/agency.ts'
import type { CommandConsole } from '../../person/console.ts'
import type { Line } from '../../text/line.ts'

/** What completion offers for a value: words of a kind, or the words themselves. */
export type Completes =
  | 'worktree'
  | 'invocation'
  /** Numbers of the checkpoints of the invocation that was typed before. */
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

/** A row of a command that needs no more of the facade than `A`. */
export interface CommandRow<A = Agency> {
  /** `['agent', 'start']` */
  readonly path: readonly string[]
  /** One sentence without a full stop. */
  readonly summary: string
  /** More for --help: what it does to what, and its exit statuses where they are special. */
  readonly description?: string
  readonly args?: readonly ArgumentRow[]
  readonly options?: readonly OptionRow[]
  /** Takes what stands behind `--`. */
  readonly rest?: boolean
  readonly examples: readonly [Example, ...Example[]]
  readonly run: (call: Call<A>) => Promise<Result>
}

/** One call of a command, parsed. Options go by their long name without the dashes. */
export interface Call<A = Agency> {
  readonly args: readonly string[]
  readonly rest: readonly string[]
  readonly json: boolean
  readonly console: CommandConsole<A>
  /** Where -C leads, or the working directory. */
  readonly cwd: string
  flag(name: string): boolean
  text(name: string): string | undefined
  list(name: string): readonly string[]
  /** Opens the repository that `cwd` is in; the same one each time. */
  agency(): Promise<A>
  /** Lines to standard error while work goes on. */
  say(...lines: readonly Line[]): void
}

export interface Page {
  /** Cells; Infinity where output is not a terminal, so that nothing is cut off. */
  readonly columns: number
  readonly now: Date
}

interface Answer {
  /** What --json shows as `data`; a getter where it takes time to make. */
  readonly data: unknown
  /** Exit status; 0 unless the runner's verdict or a finding says otherwise. */
  readonly status?: number
}

/** `verbatim` goes out byte for byte: paths, scripts and patches that another program reads. */
export type Result = Answer &
  ({ readonly view: (page: Page) => readonly Line[] } | { readonly verbatim: string | Uint8Array })

/** The operand at a place; the parser has checked that it is there. */
export const operand = (call: Call<unknown>, at = 0): string => call.args[at] ?? ''

/** `agent start` */
export const commandName = (row: Pick<CommandRow, 'path'>): string => row.path.join(' ')
