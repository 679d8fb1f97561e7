// Measures the time of a key from the keyboard through a pane to the screen: alone, and beside three agents that print.

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
 * A minute of typing. During the first 2,000 keys V8 compiles the code that keys pass through, on the core that the
 * keys need. These keys are measured apart, on every stage, because a dashboard is kept open for hours.
 */
const FIRST_KEYS = 3000
const LATER_KEYS = 2000
/** Only the echo writes these letters, and none of them ends an escape sequence. */
const LETTERS = 'QWYUV'
/** After a line, the next stage takes its turn. A noise of the machine lasts for many lines, so it meets all stages. */
export const LETTERS_A_LINE = 40
/** Milliseconds from waking a stage to its first key. */
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

/** Returns the milliseconds of each key for each stage. A stage is stopped while another one has its turn. */
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
  // Otherwise V8 would compile code of the bench for milliseconds at a time, on a core that the measured key needs.
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
    // Pauses like a very fast typist, but at no fixed place within a frame.
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
