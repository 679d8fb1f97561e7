// What it costs to show what an agent prints: sixty thousand small writes, and fifteen seconds of an agent at work.

import { setTimeout as delay } from 'node:timers/promises'
import { type BenchRow, median } from './bench.ts'
import { cpuOf } from './process-cost.ts'
import { agentProgram, hasTmux, type OpenStage, openOurs, openTmux } from './stages.ts'

/** Milliseconds after which a stage that is up has nothing left to do. */
const SETTLED = 700
/** What the program writes when it has written all. */
const MARK = 'QWYUV'

interface Cost {
  readonly wall: number
  readonly cpu: number
}

interface Load {
  readonly what: string
  readonly program: string
  readonly rounds: number
}

const LOADS: readonly Load[] = [
  { what: '60,000 small writes', program: agentProgram('writes', '60000'), rounds: 3 },
  { what: '15 s of an agent that prints', program: agentProgram('stream', '15'), rounds: 1 },
]

export async function benchStream(): Promise<BenchRow[]> {
  if (!hasTmux()) return []
  const rows: BenchRow[] = []
  for (const load of LOADS) rows.push(...(await compareCosts(load)))
  return rows
}

async function compareCosts({ what, program, rounds }: Load): Promise<BenchRow[]> {
  const ours: Cost[] = []
  const tmux: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await costOf(openOurs, program))
    tmux.push(await costOf(openTmux, program))
  }
  const row = (which: keyof Cost, name: string, most: number): BenchRow => {
    const [a, b] = [median(ours.map((cost) => cost[which])), median(tmux.map((cost) => cost[which]))]
    return {
      what: `${what}, ${name}`,
      ours: a,
      reference_name: 'tmux',
      reference: b,
      unit: 'ms',
      target: `at most ${most}x`,
      met: a <= most * b,
    }
  }
  return [row('wall', 'until shown', 1.3), row('cpu', 'CPU of all but the program', 2)]
}

async function costOf(open: OpenStage, program: string): Promise<Cost> {
  const { terminal, pids, close } = await open([program])
  await delay(SETTLED)
  const before = cpuOf(pids)
  const shown = terminal.writes(MARK)
  terminal.type('\r')
  const wall = await shown
  const cpu = cpuOf(pids) - before
  await close()
  return { wall, cpu }
}
