// One command line from argv to exit status.

import type { CommandRow } from './command.ts'
import type { CommandConsole } from './console.ts'
import { GLOBAL_OPTIONS, longName } from './global-options.ts'
import type { Manner } from './print.ts'
import { carryOut } from './run-row.ts'

/** Prints the result or the error, and returns the exit status. */
export function runCommandLine<A>(
  argv: readonly string[],
  rows: readonly CommandRow<A>[],
  console: CommandConsole<A>,
): Promise<number> {
  const understand = async () => (await import('./parser.ts')).parseCommandLine(argv, rows, console)
  return carryOut(understand, console, readManner(argv))
}

/** Before or without understanding the rest: an error in the command line must come out in the form asked for too. */
function readManner(argv: readonly string[]): Manner {
  const dashes = argv.indexOf('--')
  const own = dashes < 0 ? argv : argv.slice(0, dashes)
  const given = (name: string): boolean =>
    GLOBAL_OPTIONS.some((option) => longName(option) === name && own.includes(`--${name}`))
  return { json: given('json'), noColor: given('no-color') }
}
