// The command line on the real process: its streams, its Ctrl-C, its exit status.

import type { Console, OpenAgency } from './console.ts'

export interface Composition {
  readonly version: string
  readonly openAgency: OpenAgency
}

/** Ends the process. */
export async function runProcess(argv: readonly string[], composition: Composition): Promise<void> {
  endWhenReaderLeaves()
  const console = processConsole(composition)
  if (argv[0] === '__complete') await runCompletion(argv.slice(1), console)
  else process.exit(await (await import('./command-line.ts')).runCommandLine(argv, console))
}

async function runCompletion(words: readonly string[], console: Console): Promise<void> {
  const [{ complete }, { COMMANDS }] = await Promise.all([import('./complete.ts'), import('./commands.ts')])
  await complete(words, COMMANDS, console)
  process.exit(0)
}

function processConsole({ version, openAgency }: Composition): Console {
  return {
    version,
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
