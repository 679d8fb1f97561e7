// The command line on the real process: its streams, its Ctrl-C, its exit status.

import type { Console, OpenAgency } from './console.ts'

/** Not a command for people: it stands in no table. */
export const KEEP_DEMO = '__keep-demo'

export interface Composition {
  readonly version: string
  /** Path of the built command line. */
  readonly program: string
  readonly openAgency: OpenAgency
}

/** Ends the process. */
export async function runProcess(argv: readonly string[], composition: Composition): Promise<void> {
  const console = processConsole(composition)
  if (argv[0] === KEEP_DEMO) await runDemoKeeper(argv.slice(1), console)
  endWhenReaderLeaves()
  if (argv[0] === '__complete') await runCompletion(argv.slice(1), console)
  else process.exit(await (await import('./command-line.ts')).runCommandLine(argv, console))
}

async function runCompletion(words: readonly string[], console: Console): Promise<void> {
  const [{ complete }, { COMMANDS }] = await Promise.all([import('./complete.ts'), import('./commands.ts')])
  await complete(words, COMMANDS, console)
  process.exit(0)
}

/** It goes on when nobody reads what it says. */
async function runDemoKeeper(words: readonly string[], console: Console): Promise<void> {
  await (await import('./demo-keeper.ts')).keepDemo(console, words.includes('--keep'))
  process.exit(0)
}

function processConsole({ version, program, openAgency }: Composition): Console {
  return {
    version,
    program,
    openAgency,
    /** Opened when it is read, not at every Tab of a completion. */
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    now: () => new Date(),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
  }
}

/** `agency log | head` is not an error: whoever read us has what they wanted. */
function endWhenReaderLeaves(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
}
