// Runs the environment's setup before the runner and its teardown after it: shell commands of the person's, in the same
// box, with what they say in a log of their own.

import type { Exec } from '../../../core/doors/spawner/exec.ts'
import { startPiped } from '../../../core/doors/spawner/start-piped.ts'
import type { Environment } from '../../../core/model/environment.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { openAppendedLog } from './appended-log.ts'

export interface SetupPlace {
  /** As the runner's, so that it is found as part of the same run. */
  readonly exec: Exec
  wrap(plan: Exec): Exec
  readonly log: string
  onTeardownFailed(message: string): void
}

/** Lines of its output that an error repeats. */
const MOST_LINES = 12
const MOST_KEPT = 16 * 1024

export interface Setup {
  /** Throws E_SETUP_FAILED with the end of what it said. */
  before(): Promise<void>
  /** Never throws: the run is over. */
  after(): Promise<void>
}

export const openSetup = (
  { setup, teardown }: Pick<Environment, 'setup' | 'teardown'>,
  place: SetupPlace,
): Setup => ({
  before: async () => {
    if (setup === undefined) return
    const { how, end } = await runShell(setup, place)
    if (how !== null) throw new AgencyError('E_SETUP_FAILED', [`${setup} ${how}`, ...end].join('\n'))
  },
  after: async () => {
    if (teardown === undefined) return
    try {
      const { how } = await runShell(teardown, place)
      if (how !== null) place.onTeardownFailed(`${teardown} ${how}`)
    } catch (error) {
      place.onTeardownFailed(String(error))
    }
  },
})

interface ShellEnd {
  /** How it failed, in words; null if it did not. */
  readonly how: string | null
  readonly end: readonly string[]
}

async function runShell(command: string, { exec, wrap, log }: SetupPlace): Promise<ShellEnd> {
  const { argv, cwd, env } = wrap({ ...exec, argv: ['/bin/sh', '-c', command] })
  const written = openAppendedLog(log, { lines: false, onLost: () => {} })
  written.append(Buffer.from(`$ ${command}\n`))
  let said = ''
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = startPiped({ argv, cwd, env })
      child.stdin.end()
      const keep = (chunk: Buffer): void => {
        written.append(chunk)
        said = `${said}${chunk.toString('utf8')}`.slice(-MOST_KEPT)
      }
      child.stdout.on('data', keep)
      child.stderr.on('data', keep)
      child.on('error', reject)
      child.on('close', resolve)
    })
    const how = code === 0 ? null : code === null ? 'was ended by a signal' : `exited with ${code}`
    return { how, end: said.trim().split('\n').slice(-MOST_LINES) }
  } finally {
    written.close()
  }
}
