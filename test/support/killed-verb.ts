// One verb, killed at each of its steps in turn, for real. The process for the next step boots while what the last one
// left is looked at: booting is most of what it costs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** Resolves true where the verb was killed at the next step; false where it has no more, and has finished. */
export type KillAtNextStep = () => Promise<boolean>

/** `program` is the bundled verb-process.ts; `args` are its arguments but the last. */
export function killSteps(program: string, args: readonly string[]): KillAtNextStep {
  let step = 0
  const boot = () => {
    step += 1
    return spawn('node', [program, ...args, String(step)], { stdio: ['pipe', 'ignore', 'pipe'] })
  }
  let next = boot()
  onTestFinished(() => void next.kill('SIGKILL'))
  return async () => {
    const child = next
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    child.stdin.end()
    const [code, signal] = await once(child, 'close')
    next = boot()
    if (signal === null && code !== 0) throw new Error(said)
    return signal === 'SIGKILL'
  }
}
