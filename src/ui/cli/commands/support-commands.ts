// Commands beside the daily work: doctor, completion and help.

import { AgencyError } from '../../../core/model/errors.ts'
import type { Call, CommandRow, Result } from './command.ts'
import { operand } from './command.ts'

export const SUPPORT_COMMANDS: readonly CommandRow[] = [
  {
    path: ['doctor'],
    summary: 'Look for what is wrong, and say what to do about it',
    description: 'Exits 6 if a problem is left.',
    options: [
      { flags: '--fix', summary: 'mend what can be mended, and say how' },
      { flags: '--trust-config', summary: "accept the repository's git configuration as it is now" },
    ],
    examples: [
      { line: 'agency doctor', says: 'changes nothing' },
      { line: 'agency doctor --fix', says: 'mends' },
    ],
    run: async (call) => (await import('../verbs/doctor.ts')).runDoctor(call),
  },
  {
    path: ['completion'],
    summary: 'Print a completion script for bash, zsh or fish',
    args: [{ name: 'shell', completes: ['bash', 'zsh', 'fish'] }],
    examples: [
      { line: 'source <(agency completion bash)', says: 'in ~/.bashrc' },
      { line: 'source <(agency completion zsh)', says: 'in ~/.zshrc, after compinit' },
      { line: 'agency completion fish | source', says: 'in ~/.config/fish/config.fish' },
    ],
    run: async (call) => {
      const { completionScript } = await import('../completion-scripts.ts')
      const script = completionScript(operand(call))
      return { data: { script }, verbatim: script }
    },
  },
  {
    path: ['help'],
    summary: 'Show help on a command, or on exit-codes',
    args: [{ name: 'topic', completes: ['exit-codes'], optional: true, repeats: true }],
    examples: [
      { line: 'agency help agent start', says: 'the same as agency agent start --help' },
      { line: 'agency help exit-codes', says: 'every exit status with its error codes' },
    ],
    run: printHelp,
  },
]

async function printHelp(call: Call): Promise<Result> {
  if (call.args[0] === 'exit-codes') {
    const { formatExitCodes, listExitRows } = await import('../program-words.ts')
    return { data: { exit_codes: listExitRows() }, view: formatExitCodes }
  }
  const [{ parseCommandLine }, { COMMANDS }] = await Promise.all([
    import('../parser.ts'),
    import('./commands.ts'),
  ])
  const understood = parseCommandLine([...call.args, '--help'], COMMANDS, call.console)
  if (!('help' in understood))
    throw new AgencyError('E_USAGE', `there is no help on '${call.args.join(' ')}'`)
  return { data: { help: understood.help }, verbatim: understood.help }
}
