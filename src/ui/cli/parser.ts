// From argv to a row of the table and its values, by commander. Loaded only when a command line has to be parsed.

import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { Agency } from '../../core/facade/agency.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { Console } from '../person/console.ts'
import { type CommandRow, commandName, type OptionRow } from './commands/command.ts'
import { GLOBAL_OPTIONS, longName, takesValue } from './commands/global-options.ts'
import { PROGRAM_NOTES, PROGRAM_SUMMARY } from './program-words.ts'

export interface Parsed<A = Agency> {
  readonly row: CommandRow<A>
  readonly args: readonly string[]
  readonly rest: readonly string[]
  readonly values: ReadonlyMap<string, unknown>
  readonly cwd: string
}

/** Help that was asked for, or a parsed command. Throws E_USAGE. */
export type Understood<A = Agency> = { readonly help: string } | Parsed<A>

interface Chosen<A> {
  readonly row: CommandRow<A>
  readonly command: Command
}

export function parseCommandLine<A>(
  argv: readonly string[],
  rows: readonly CommandRow<A>[],
  console: Console,
): Understood<A> {
  let chosen: Chosen<A> | null = null
  let printed = ''
  const program = buildProgram(
    { rows, meant: rowsMeant(argv, rows), console },
    {
      onChosen: (row, command) => {
        chosen = { row, command }
      },
      onPrint: (text) => {
        printed += text
      },
    },
  )
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version')
      return { help: printed }
    if (error.code !== 'commander.help') throw usageError(error.message, hintFor(argv, rows))
    const watch = rows.find((row) => commandName(row) === 'watch')
    if (program.args.length > 0 || watch === undefined) throw missingCommand(program, argv)
    chosen = { row: watch, command: program }
  }
  if (chosen === null) throw missingCommand(program, argv)
  return readChosen(chosen, argv, console)
}

interface Listeners<A> {
  onChosen(row: CommandRow<A>, command: Command): void
  onPrint(text: string): void
}

/**
 * The rows that argv can mean, nearly always one: telling commander about all others would take as long as everything
 * else.
 */
function rowsMeant<A>(argv: readonly string[], rows: readonly CommandRow<A>[]): readonly CommandRow<A>[] {
  const meant = rows.filter(({ path }) => path.every((word) => argv.includes(word)))
  const helps = argv.some((word) => word === '-h' || word === '--help')
  return helps || meant.length === 0 ? rows : meant
}

interface Program<A> {
  readonly rows: readonly CommandRow<A>[]
  /** The rows that argv can mean. Of all others, commander is told nothing but their names. */
  readonly meant: readonly CommandRow<A>[]
  readonly console: Console
}

function buildProgram<A>({ rows, meant, console }: Program<A>, listeners: Listeners<A>): Command {
  const program = new Command('agency')
    .description(PROGRAM_SUMMARY)
    .version(`agency ${console.version}`)
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ helpWidth: console.stdout.columns ?? 100, showGlobalOptions: false })
    .configureOutput({ writeOut: listeners.onPrint, writeErr: () => {}, getOutHasColors: () => false })
    .addHelpText('after', `\n${PROGRAM_NOTES}`)
  addOptions(program, GLOBAL_OPTIONS, true)
  for (const row of rows) {
    const parent = groupOf(program, row, rows)
    if (meant.includes(row)) addRow(parent, row, listeners)
    else parent.command(row.path.at(-1) ?? '')
  }
  return program
}

/** The commander object that the row belongs to: the program, or the row's group, which is made for its first row. */
function groupOf<A>(program: Command, row: CommandRow<A>, rows: readonly CommandRow<A>[]): Command {
  const [first = '', second] = row.path
  if (second === undefined) return program
  const known = program.commands.find((command) => command.name() === first)
  if (known !== undefined) return known
  const verbs = rows.filter(({ path }) => path[0] === first).map(({ path }) => path[1])
  const group = program
    .command(first)
    .description(verbs.join(', '))
    .helpCommand(false)
    .enablePositionalOptions()
  addOptions(group, GLOBAL_OPTIONS, false)
  return group
}

function addRow<A>(parent: Command, row: CommandRow<A>, { onChosen }: Listeners<A>): void {
  const command = parent.command(row.path.at(-1) ?? '').summary(row.summary)
  command.description(
    row.description === undefined ? row.summary : `${row.summary}.\n\n${reflow(row.description)}`,
  )
  for (const { name, optional, repeats } of row.args ?? []) {
    const shown = `${name}${repeats ? '...' : ''}`
    command.argument(optional ? `[${shown}]` : `<${shown}>`)
  }
  if (row.rest) command.usage('[options] [-- ARGS...]').argument('[args...]')
  addOptions(command, row.options ?? [], true)
  addOptions(command, GLOBAL_OPTIONS, false)
  command.addHelpText('after', `\n${formatExamples(row)}\nAlso: --json, --no-color, -C DIR (agency --help)`)
  command.action(() => onChosen(row, command))
}

function addOptions(command: Command, options: readonly OptionRow[], shown: boolean): void {
  for (const row of options) {
    const option = new Option(row.flags, row.summary)
    if (row.repeats)
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
    if (row.required) option.makeOptionMandatory()
    command.addOption(shown ? option : option.hideHelp())
  }
}

/** Joins the lines of a paragraph: they were broken for the source file, not for the terminal. */
const reflow = (text: string): string => text.replace(/([^\n])\n(?!\n)/g, '$1 ')

function formatExamples({ examples }: Pick<CommandRow, 'examples'>): string {
  const lines = examples.map(({ line, says }) => `  # ${says}\n  ${line}\n`)
  return `Examples:\n${lines.join('')}`
}

/** Global options may be given at any level. As in git, an inner -C is relative to the one before it. */
function readChosen<A>({ row, command }: Chosen<A>, argv: readonly string[], console: Console): Parsed<A> {
  const levels = levelsOf(command)
  const values = new Map<string, unknown>()
  for (const level of levels) {
    for (const option of [...(row.options ?? []), ...GLOBAL_OPTIONS]) {
      const value = givenValue(level, option)
      if (value !== undefined) values.set(longName(option), value)
    }
  }
  const directories = levels.map((level) => level.opts()['directory'] ?? '')
  const { args, rest } = splitRest(row, command, argv)
  return { row, args, rest, values, cwd: resolve(console.cwd, ...directories) }
}

/** From the program to the innermost command. */
function levelsOf(command: Command): Command[] {
  return command.parent === null ? [command] : [...levelsOf(command.parent), command]
}

function givenValue(level: Command, option: OptionRow): unknown {
  const name = longName(option)
  const attribute = new Option(option.flags).attributeName()
  if (level.getOptionValueSource(attribute) !== 'cli') return undefined
  if (takesValue(option)) return level.getOptionValue(attribute)
  return name.startsWith('no-') ? level.getOptionValue(attribute) === false : true
}

function splitRest(
  row: Pick<CommandRow, 'rest'>,
  command: Command,
  argv: readonly string[],
): Pick<Parsed, 'args' | 'rest'> {
  const args = command.parent === null ? [] : command.args
  if (!row.rest) return { args, rest: [] }
  const dashes = argv.indexOf('--')
  const rest = dashes < 0 ? [] : argv.slice(dashes + 1)
  if (args.length > rest.length) {
    throw usageError(`unexpected argument '${args[0]}': what is meant for the runner goes behind --`)
  }
  return { args: [], rest }
}

function missingCommand(program: Command, argv: readonly string[]): AgencyError {
  const group = program.commands.find((command) => argv.includes(command.name()))
  if (group === undefined) return usageError('a command is missing')
  const names = group.commands.map((command) => command.name())
  return usageError(
    `agency ${group.name()} needs a command: ${names.join(', ')}`,
    `agency ${group.name()} --help`,
  )
}

/** How to get help on the command that was meant, as far as one can tell. */
function hintFor(argv: readonly string[], rows: readonly Pick<CommandRow, 'path'>[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'))
  const row = rows.find(({ path }) => path.every((word, at) => words[at] === word))
  return row === undefined ? undefined : `agency ${commandName(row)} --help`
}

function usageError(message: string, hint?: string): AgencyError {
  const text = message.replace(/^error: /, '').replace(/\n\((.*)\)$/s, ' ($1)')
  return new AgencyError('E_USAGE', text, hint === undefined ? {} : { hint })
}
