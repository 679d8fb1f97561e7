// Runs one row of a table of commands, from the parsed command line to the exit status.

import { type CommandConsole, writeOut } from '../person/console.ts'
import { endBySignal, hasLostTerminal } from '../person/end-by-signal.ts'
import { renderLines } from '../text/line.ts'
import type { Call } from './commands/command.ts'
import type { Parsed, Understood } from './parser.ts'
import { type Manner, paintFor, printError, printResult } from './views/print.ts'

/**
 * Prints the result, the help or the error, and returns the exit status. If the reader of our output has gone, that is
 * no error. An error in parsing is printed in the given manner. Where the terminal is gone, nothing can be printed, and
 * the process ends by SIGHUP.
 */
export async function runRow<A>(
  understand: () => Understood<A> | Promise<Understood<A>>,
  console: CommandConsole<A>,
  manner: Manner,
): Promise<number> {
  try {
    const understood = await understand()
    if ('help' in understood) {
      await writeOut(console.stdout, understood.help)
      return 0
    }
    const result = await understood.row.run(makeCall(understood, console))
    return await printResult(result, console, readManner(understood))
  } catch (error) {
    if (hasLostTerminal()) endBySignal('SIGHUP')
    if (isBrokenPipe(error)) return 0
    return printError(error, console, manner)
  }
}

function makeCall<A>(parsed: Parsed<A>, console: CommandConsole<A>): Call<A> {
  const manner = readManner(parsed)
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

function readManner({ values }: Pick<Parsed, 'values'>): Manner {
  return { json: values.get('json') === true, noColor: values.get('no-color') === true }
}

const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE'
