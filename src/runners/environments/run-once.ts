// Runs a program of this machine to its end, for what it says. Nothing of an agent's is run like this.

import { startPiped } from '../../core/doors/spawner/start-piped.ts'

export interface Said {
  /** null where it could not be run, or was ended by a signal. */
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** Characters of either output that are kept, from the end. */
const MOST_KEPT = 64 * 1024

export function runOnce(argv: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((resolve) => {
    const child = startPiped({ argv, cwd: '/', env })
    const said = { out: '', errors: '' }
    const keep = (name: keyof typeof said) => (chunk: Buffer) => {
      said[name] = `${said[name]}${chunk.toString('utf8')}`.slice(-MOST_KEPT)
    }
    child.stdin.end()
    child.stdout.on('data', keep('out'))
    child.stderr.on('data', keep('errors'))
    child.on('error', (error) => resolve({ code: null, out: '', errors: error.message }))
    child.on('close', (code) => resolve({ code, ...said }))
  })
}
