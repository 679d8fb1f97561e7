// The demo without a dashboard: each line after a `$` is run by the table of commands that the person would use, so the
// transcript is always true.

import { PassThrough } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { AgencyError } from '../../../core/model/errors.ts'
import { EXIT } from '../../../core/model/exit-status.ts'
import { shortId } from '../../../core/model/ids.ts'
import { type CommandConsole, type Output, writeOut } from '../../person/console.ts'
import { type Line, renderLine, span } from '../../text/line.ts'
import { runCommandLine } from '../command-line.ts'
import type { Call } from '../commands/command.ts'
import { COMMANDS } from '../commands/commands.ts'
import { paintFor } from '../views/print.ts'
import type { DemoPlace } from './demo-place.ts'

const TREE = 'greetings'

/** Each works for a moment, so that one can see that they work at once. */
const AGENTS = {
  farewell: `echo 'Adding a farewell'; sleep 1; echo 'echo "Goodbye"' >> greet.sh; git commit -qam 'Say goodbye'`,
  notes: `echo 'Writing notes'; sleep 1; echo 'It is polite.' >> README.md; echo 'Ask for more languages' > NOTES.md`,
  rival: `echo 'Adding another farewell'; sleep 1; echo 'echo "See you"' >> greet.sh; git commit -qam 'Say see you'`,
} as const

/** Resolves with what was printed, if --json keeps that from standard output. */
export async function playTranscript(place: DemoPlace, call: Call): Promise<string> {
  const written = new PassThrough()
  const transcript = call.json ? readAll(written) : ''
  try {
    await new DemoTranscript(place, { call, out: call.json ? written : call.console.stdout }).play()
  } finally {
    written.end()
  }
  return transcript
}

class DemoTranscript {
  readonly #call: Call
  readonly #out: Output
  /** Its error output is part of the transcript. */
  readonly #console: CommandConsole

  constructor(place: DemoPlace, { call, out }: { call: Call; out: Output }) {
    this.#call = call
    this.#out = out
    this.#console = { ...place.console, stdin: new PassThrough().end(), stdout: out, stderr: out }
  }

  async play(): Promise<void> {
    await this.#tell(
      'A throw-away repository with four commits. First a worktree: the branch that you would merge.',
    )
    await this.#run(['worktree', 'create', '--name', TREE])
    await this.#startAll()
    const { farewell, notes, rival } = await this.#findAgents()
    await this.#tell('All of them at work, each in a sandbox of its own.')
    await this.#run(['agent', 'ls'])
    await this.#run(['agent', 'wait', farewell, notes, rival])
    await this.#land(farewell, rival)
    await this.#apply(notes)
    await this.#discardAndUndo(rival)
  }

  async #startAll(): Promise<void> {
    await this.#tell('Three agents at once. Here they are shell scripts; claude and codex go the same way.')
    for (const [name, script] of Object.entries(AGENTS)) {
      const who = ['--worktree', TREE, '--runner', 'shell', '--name', name]
      await this.#run(['agent', 'start', ...who, '--headless', '--detached', '--prompt', script])
    }
  }

  async #land(first: string, second: string): Promise<void> {
    await this.#tell('What did the first one do? Land it.')
    await this.#run(['agent', 'diff', first])
    await this.#run(['agent', 'land', first])
    await this.#tell('Another changed the same line: a conflict is told, and nothing is changed.')
    await this.#run(['agent', 'land', second], EXIT.conflict)
  }

  async #apply(notes: string): Promise<void> {
    await this.#tell(
      'The third committed nothing. Its files, new ones too, are not lost: land says what to do.',
    )
    await this.#run(['agent', 'diff', notes, '--stat'])
    await this.#run(['agent', 'land', notes], EXIT.refused)
    await this.#run(['agent', 'land', notes, '--apply'])
  }

  async #discardAndUndo(rival: string): Promise<void> {
    await this.#tell('Drop the one that conflicts. Then have second thoughts.')
    await this.#run(['agent', 'discard', rival])
    await this.#run(['undo'])
    await this.#run(['agent', 'ls', '--all'])
    await this.#run(['log'])
  }

  async #findAgents(): Promise<Record<keyof typeof AGENTS, string>> {
    const { invocations } = await (await this.#open()).listInvocations()
    const idOf = (name: string): string => {
      const found = invocations.find(({ record }) => record.invocation_name === name)
      if (found === undefined) throw new AgencyError('E_INTERNAL', `the demo's agent ${name} is not there`)
      return shortId(found.record.invocation_id)
    }
    return { farewell: idOf('farewell'), notes: idOf('notes'), rival: idOf('rival') }
  }

  /** Opens the facade anew each time, as every command does. */
  #open(): ReturnType<CommandConsole['openAgency']> {
    return this.#console.openAgency(this.#console.cwd, this.#console.env)
  }

  async #run(argv: readonly string[], expected: number = EXIT.ok): Promise<void> {
    await this.#print([span('$ ', 'dim'), span(`agency ${argv.map(quoteShellWord).join(' ')}`, 'strong')])
    const colour = this.#call.flag('no-color') ? ['--no-color'] : []
    const status = await runCommandLine([...colour, ...argv], COMMANDS, this.#console)
    if (status !== expected) {
      throw new AgencyError(
        'E_INTERNAL',
        `the demo expected exit status ${expected} of the last line, not ${status}`,
      )
    }
    await this.#print('')
  }

  #tell(sentence: string): Promise<void> {
    return this.#print(span(`# ${sentence}`, 'accent'))
  }

  #print(line: Line): Promise<void> {
    const paint = paintFor(this.#out, this.#console, { json: false, noColor: this.#call.flag('no-color') })
    return writeOut(this.#out, `${renderLine(line, paint)}\n`)
  }
}

/** Quotes a word as it would have to be typed. */
const quoteShellWord = (word: string): string =>
  /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
