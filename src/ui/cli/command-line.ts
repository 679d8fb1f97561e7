// One command line from argv to exit status.

import { renderLines } from '../text/line.ts'
import { type Call, type CommandRow, commandName, type Result } from './command.ts'
import { type CommandConsole, writeOut } from './console.ts'
import { GLOBAL_OPTIONS, longName } from './global-options.ts'
import type { Parsed, Understood } from './parser.ts'
import { type Manner, paintFor, printError, printResult } from './print.ts'

/** Prints the result or the error, and returns the exit status. A reader that went away has what it wanted. */
export async function runCommandLine<A>(
  argv: readonly string[],
  rows: readonly CommandRow<A>[],
  console: CommandConsole<A>,
): Promise<number> {
  const manner = readManner(argv)
  try {
    const understood = await understand(argv, rows, console)
    if ('help' in understood) {
      await writeOut(console.stdout, understood.help)
      return 0
    }
    return await printResult(await runRow(understood, console), console, readMannerOf(understood))
  } catch (error) {
    if (isBrokenPipe(error)) return 0
    return printError(error, console, manner)
  }
}

/** Nothing typed opens the dashboard, whose first frame does not wait for the parser. */
async function understand<A>(
  argv: readonly string[],
  rows: readonly CommandRow<A>[],
  console: CommandConsole<A>,
): Promise<Understood<A>> {
  const watch = rows.find((row) => commandName(row) === 'watch')
  if (argv.length === 0 && watch !== undefined) {
    return { row: watch, args: [], rest: [], values: new Map(), cwd: console.cwd }
  }
  return (await import('./parser.ts')).parseCommandLine(argv, rows, console)
}

/** Runs the row that was understood. Throws what the command throws. */
export function runRow<A>(parsed: Parsed<A>, console: CommandConsole<A>): Promise<Result> {
  return parsed.row.run(makeCall(parsed, console))
}

function makeCall<A>(parsed: Parsed<A>, console: CommandConsole<A>): Call<A> {
  const manner = readMannerOf(parsed)
  const paint = paintFor(console.stderr, console, manner)
  let opened: Promise<A> | undefined
  return {
    args: parsed.args,
    rest: parsed.rest,
    json: manner.json,
    console,
    cwd: parsed.cwd,
    flag: (name) => parsed.values.get(name) === true,
    text: (name) => {
      const value = parsed.values.get(name)
      return typeof value === 'string' ? value : undefined
    },
    list: (name) => {
      const value = parsed.values.get(name)
      return Array.isArray(value) ? value : []
    },
    agency: () => {
      opened ??= console.openAgency(parsed.cwd, console.env)
      return opened
    },
    say: (...lines) => {
      console.stderr.write(renderLines(lines, paint))
    },
  }
}

function readMannerOf({ values }: Pick<Parsed, 'values'>): Manner {
  return { json: values.get('json') === true, noColor: values.get('no-color') === true }
}

/** Before or without understanding the rest: an error in the command line must come out in the form asked for too. */
function readManner(argv: readonly string[]): Manner {
  const dashes = argv.indexOf('--')
  const own = dashes < 0 ? argv : argv.slice(0, dashes)
  const given = (name: string): boolean =>
    GLOBAL_OPTIONS.some((option) => longName(option) === name && own.includes(`--${name}`))
  return { json: given('json'), noColor: given('no-color') }
}

const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE'
