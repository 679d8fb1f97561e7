// Kills one verb at its steps, for real. Booting is most of what that costs, so the process for the next step boots
// while the test looks at what the last one left.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { sweepSteps } from './sweep-steps.ts'

/** Does the verb up to the next step of the sweep. `killed` is false if the verb has no such step, and finished. */
export type KillAtNextStep = () => Promise<{ step: number; killed: boolean }>

/** `program` is the bundled verb-process.ts; `args` are its arguments but the last. */
export function killSteps(program: string, args: readonly string[]): KillAtNextStep {
  const steps = sweepSteps()
  const boot = () => {
    const step = steps.next().value
    return {
      step,
      child: spawn('node', [program, ...args, String(step)], { stdio: ['pipe', 'ignore', 'pipe'] }),
    }
  }
  let next = boot()
  onTestFinished(() => void next.child.kill('SIGKILL'))
  return async () => {
    const { step, child } = next
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += String(chunk)
    })
    child.stdin.end()
    const [code, signal] = await once(child, 'close')
    next = boot()
    if (signal === null && code !== 0) throw new Error(said)
    return { step, killed: signal === 'SIGKILL' }
  }
}
