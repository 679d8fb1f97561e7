// How long a key takes from the keyboard through a pane and back to the screen: alone, and beside three agents that print.

import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { BenchRow } from './bench.ts'
import { agentProgram, hasTmux, type OpenStage, openOurs, openRelays, openTmux } from './stages.ts'

const ROUNDS = 2
/**
 * A minute. A dashboard is kept for hours: what a key takes while V8 still compiles what it passes through, on the core
 * that the key would have, is measured apart. It is done after 2,000 keys. Of all others the same are left out.
 */
const FIRST_KEYS = 3000
const KEYS_A_ROUND = FIRST_KEYS + 500
/** Written by nothing but the echo, and no end of an escape sequence. */
const LETTERS = 'QWYUV'
const LETTERS_A_LINE = 40

export async function benchEcho(): Promise<BenchRow[]> {
  if (!hasTmux()) return []
  const alone = ['exec cat']
  const busy = [...alone, ...Array.from({ length: 3 }, () => agentProgram('endless'))]
  // What V8 would compile of the bench, for milliseconds at a time, takes a core from the key that it measures.
  setFlagsFromString('--no-opt')
  try {
    return [
      ...(await compareEchoes('echo of a key', alone)),
      ...(await compareEchoes('echo of a key beside 3 agents that print', busy)),
    ]
  } finally {
    setFlagsFromString('--opt')
  }
}

async function compareEchoes(what: string, programs: readonly string[]): Promise<BenchRow[]> {
  const stages: OpenStage[] = [openOurs, openTmux, ...(programs.length === 1 ? [openRelays] : [])]
  const times = stages.map((): number[][] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, open] of stages.entries()) times[at]?.push(await echoes(open, programs))
  const [ours = [], tmux = [], relays = []] = times
  const row = (share: number, keys: (round: number[]) => number[], reference = tmux) => ({
    what: `${what}, p${share * 100}`,
    ours: quantile(ours.flatMap(keys), share),
    reference_name: 'tmux',
    reference: quantile(reference.flatMap(keys), share),
    unit: 'ms' as const,
  })
  const first = (round: number[]): number[] => round.slice(0, FIRST_KEYS)
  const later = (round: number[]): number[] => round.slice(FIRST_KEYS)
  const [p50, p99] = [row(0.5, later), row(0.99, later)]
  const compared = { target: 'for comparison', met: null }
  return [
    { ...p50, target: 'at most 3x + 2 ms', met: p50.ours <= 3 * p50.reference + 2 },
    { ...p99, target: 'at most 2x', met: p99.ours <= 2 * p99.reference },
    ...[0.5, 0.99].flatMap((share) => [
      { ...row(share, first), what: `${what}, the first ${FIRST_KEYS}, p${share * 100}`, ...compared },
      ...(relays.length === 0
        ? []
        : [{ ...row(share, later, relays), reference_name: 'two bare relays of Node', ...compared }]),
    ]),
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
