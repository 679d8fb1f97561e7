// One verb, killed at its steps, for real. The process for the next step boots while what the last one
// left is looked at: booting is most of what it costs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { sweepSteps } from './sweep-steps.ts'

/** `killed` at the next step of the sweep; not where it has no such step, and has finished. */
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
