// One command line from argv to exit status.

import type { CommandConsole } from '../person/console.ts'
import type { CommandRow } from './commands/command.ts'
import { GLOBAL_OPTIONS, longName } from './commands/global-options.ts'
import { runRow } from './run-row.ts'
import type { Manner } from './views/print.ts'

/** Prints the result or the error, and returns the exit status. */
export function runCommandLine<A>(
  argv: readonly string[],
  rows: readonly CommandRow<A>[],
  console: CommandConsole<A>,
): Promise<number> {
  const understand = async () => (await import('./parser.ts')).parseCommandLine(argv, rows, console)
  return runRow(understand, console, readMannerOf(argv))
}

/** Read before the command line is parsed, because an error in it has to come out in the right form, too. */
function readMannerOf(argv: readonly string[]): Manner {
  const dashes = argv.indexOf('--')
  const own = dashes < 0 ? argv : argv.slice(0, dashes)
  const given = (name: string): boolean =>
    GLOBAL_OPTIONS.some((option) => longName(option) === name && own.includes(`--${name}`))
  return { json: given('json'), noColor: given('no-color') }
}
