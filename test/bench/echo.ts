// How long a key takes from the keyboard through a pane and back to the screen: alone, and beside three agents that print.

import { setTimeout as delay } from 'node:timers/promises'
import type { BenchRow } from './bench.ts'
import { agentProgram, hasTmux, type OpenStage, openOurs, openTmux } from './stages.ts'

const ROUNDS = 2
const KEYS_A_ROUND = 150
/** Written by nothing but the echo, and no end of an escape sequence. */
const LETTERS = 'QWYUV'
const LETTERS_A_LINE = 40

export async function benchEcho(): Promise<BenchRow[]> {
  if (!hasTmux()) return []
  const alone = ['exec cat']
  const busy = [...alone, ...Array.from({ length: 3 }, () => agentProgram('endless'))]
  return [
    ...(await compareEchoes('echo of a key', alone)),
    ...(await compareEchoes('echo of a key beside 3 agents that print', busy)),
  ]
}

async function compareEchoes(what: string, programs: readonly string[]): Promise<BenchRow[]> {
  const ours: number[] = []
  const tmux: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(...(await echoes(openOurs, programs)))
    tmux.push(...(await echoes(openTmux, programs)))
  }
  const row = (share: number, target: string, most: (reference: number) => number): BenchRow => {
    const [a, b] = [quantile(ours, share), quantile(tmux, share)]
    return {
      what: `${what}, p${share * 100}`,
      ours: a,
      reference_name: 'tmux',
      reference: b,
      unit: 'ms',
      target,
      met: a <= most(b),
    }
  }
  return [
    row(0.5, 'at most 3x + 2 ms', (reference) => 3 * reference + 2),
    row(0.99, 'at most 2x', (reference) => 2 * reference),
  ]
}

async function echoes(open: OpenStage, programs: readonly string[]): Promise<number[]> {
  const { terminal, close } = await open(programs)
  const times: number[] = []
  for (let n = 0; n < KEYS_A_ROUND; n++) {
    const letter = LETTERS[n % LETTERS.length] ?? ''
    const echo = terminal.writes(letter)
    terminal.type(letter)
    times.push(await echo)
    if (n % LETTERS_A_LINE === LETTERS_A_LINE - 1) {
      terminal.type('\r')
      await delay(50)
    }
    // As fast as a person on a bad day, at no fixed place in a frame.
    await delay(10 + ((n * 7) % 17))
  }
  await close()
  return times
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
