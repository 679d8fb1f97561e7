import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Agency } from '../../../../src/core/facade/agency.ts'
import { runCommandLine } from '../../../../src/ui/cli/command-line.ts'
import type { CommandRow } from '../../../../src/ui/cli/commands/command.ts'
import { COMMANDS } from '../../../../src/ui/cli/commands/commands.ts'
import { START_COMMANDS } from '../../../../src/ui/cli/commands/start-commands.ts'
import { memoryConsole } from '../../../support/scene/command-line.ts'
import { recordingAgency } from '../../../support/scene/recording-agency.ts'

const WORDS = [
  ...['--worktree', '--from', '--name', '--agent-name', '--parent', '--runner', '--prompt', '--prompt-file'],
  ...['--model', '--runner-arg', '--resume', '--env', '-C', '--headless', '--detached', '--open', '--json'],
  ...['--no-color', '--no-include-untracked', '--', '-', '-V', '--version', '-hC', '--promt', '--prompt=Go'],
  ...['feature', 'b7c9', 'b7c9@3', 'b7c9@x', '/', '', 'run', 'agent', 'start', 'ls', 'watch', 'demo', 'help'],
]

const commandLine = fc
  .tuple(
    fc.constantFrom(['run'], ['run', '--name', 'feature'], ['agent', 'start', '--headless', '--detached']),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }),
  )
  .map(([begin, words]) => [...begin, ...words])

/** Whatever else is drawn, of those that start an agent and those that are refused there is one. */
const STARTS = ['run', '--name', 'feature', '--prompt=Go', '--headless']
const HAS_A_TYPO = ['run', '--promt', 'Go']

async function outcome(argv: readonly string[], rows: readonly CommandRow<Agency>[]) {
  const agency = recordingAgency()
  const console = memoryConsole({ agency, input: 'Go' })
  const status = await runCommandLine(argv, rows, console)
  return { status, ...console.written, calls: JSON.stringify(agency.calls) }
}

test('a line that starts an agent means the same by the short table as by the whole one', async () => {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(commandLine, async (argv) => {
      const whole = await outcome(argv, COMMANDS)
      statuses.add(whole.status)
      expect(await outcome(argv, START_COMMANDS)).toEqual(whole)
    }),
    { numRuns: 300, examples: [[STARTS], [HAS_A_TYPO]] },
  )
  expect([...statuses]).toEqual(expect.arrayContaining([0, 2]))
})
