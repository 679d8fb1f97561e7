// The command line on the real process: its streams, its Ctrl-C, its exit status.

import type { CommandConsole } from '../person/console.ts'
import { type Composition, endWithStreams, processConsole } from '../person/process-console.ts'

/** Not for people, so it is in no table. */
export const KEEP_DEMO = '__keep-demo'

/** Ends the process. */
export async function runCommandProcess(argv: readonly string[], composition: Composition): Promise<void> {
  const console = processConsole(composition)
  if (argv[0] === KEEP_DEMO) await runDemoKeeper(argv.slice(1), console)
  endWithStreams()
  if (argv[0] === '__complete') await runCompletion(argv.slice(1), console)
  else await runCommand(argv, console)
}

async function runCommand(argv: readonly string[], console: CommandConsole): Promise<void> {
  const [{ runCommandLine }, { COMMANDS }] = await Promise.all([
    import('./command-line.ts'),
    import('./commands/commands.ts'),
  ])
  process.exit(await runCommandLine(argv, COMMANDS, console))
}

async function runCompletion(words: readonly string[], console: CommandConsole): Promise<void> {
  const [{ complete }, { COMMANDS }] = await Promise.all([
    import('./complete.ts'),
    import('./commands/commands.ts'),
  ])
  await complete(words, COMMANDS, console)
  process.exit(0)
}

/** It goes on even if nobody reads what it writes. */
async function runDemoKeeper(words: readonly string[], console: CommandConsole): Promise<void> {
  await (await import('./demo/demo-keeper.ts')).keepDemo(console, words.includes('--keep'))
  process.exit(0)
}
