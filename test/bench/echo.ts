// How long a key takes from the keyboard through a pane and back to the screen: alone, and beside three agents that print.

import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { BenchRow } from './bench.ts'
import {
  agentProgram,
  hasTmux,
  type OpenStage,
  openOurs,
  openRelays,
  openTmux,
  type Stage,
} from './stages.ts'

/**
 * A minute. A dashboard is kept for hours: what a key takes while V8 still compiles what it passes through, on the core
 * that the key would have, is measured apart. It is done after 2,000 keys. Of all others the same are left out.
 */
const FIRST_KEYS = 3000
const LATER_KEYS = 2000
/** Written by nothing but the echo, and no end of an escape sequence. */
const LETTERS = 'QWYUV'
/** The stages take turns of a line: a noise of the machine lasts for many of these and so meets all of them. */
export const LETTERS_A_LINE = 40
/** Milliseconds from the end of a standstill to the first key. */
const SETTLED = 300

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
  const opens = [openOurs, openTmux, ...(programs.length === 1 ? [openRelays] : [])]
  const echoes = await echoesInTurns(opens, programs, FIRST_KEYS + LATER_KEYS)
  const [ours = [], tmux = [], relays = []] = echoes
  const row = (share: number, keys: (times: number[]) => number[], reference = tmux) => ({
    what: `${what}, p${share * 100}`,
    ours: quantile(keys(ours), share),
    reference_name: 'tmux',
    reference: quantile(keys(reference), share),
    unit: 'ms' as const,
  })
  const first = (times: number[]): number[] => times.slice(0, FIRST_KEYS)
  const later = (times: number[]): number[] => times.slice(FIRST_KEYS)
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

/** Of each stage the milliseconds of each key. Those whose turn it is not stand still. */
export async function echoesInTurns(
  opens: readonly OpenStage[],
  programs: readonly string[],
  keys: number,
): Promise<number[][]> {
  const stages: Stage[] = []
  for (const open of opens) {
    const stage = await open(programs)
    stages.push(stage)
    signal(stage, 'SIGSTOP')
  }
  // What V8 would compile of the bench, for milliseconds at a time, takes a core from the key that it measures.
  setFlagsFromString('--no-opt')
  const times = await typeInTurns(stages, keys).finally(() => setFlagsFromString('--opt'))
  for (const stage of stages) {
    signal(stage, 'SIGCONT')
    await stage.close()
  }
  return times
}

async function typeInTurns(stages: readonly Stage[], keys: number): Promise<number[][]> {
  const times = stages.map((): number[] => [])
  for (let key = 0; key < keys; key += LETTERS_A_LINE)
    for (const [at, stage] of stages.entries()) {
      signal(stage, 'SIGCONT')
      await delay(SETTLED)
      times[at]?.push(...(await typeLine(stage)))
      signal(stage, 'SIGSTOP')
    }
  return times
}

function signal({ pids }: Stage, name: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, name)
}

async function typeLine({ terminal }: Stage): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < LETTERS_A_LINE; n++) {
    const letter = LETTERS[n % LETTERS.length] ?? ''
    const echo = terminal.writes(letter)
    terminal.type(letter)
    times.push(await echo)
    // As fast as a person on a bad day, at no fixed place in a frame.
    await delay(10 + ((n * 7) % 17))
  }
  terminal.type('\r')
  await delay(50)
  return times
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
