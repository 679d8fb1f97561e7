// What it costs to show what an agent prints: sixty thousand small writes, and fifteen seconds of an agent at work.

import { setTimeout as delay } from 'node:timers/promises'
import { type BenchRow, median } from './bench.ts'
import { cpuOf } from './process-cost.ts'
import { agentProgram, hasTmux, type OpenStage, openOurs, openTmux, openTmuxWithList } from './stages.ts'

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

/** The limits hold against tmux with a list beside the program, which draws what ours draws. */
async function compareCosts({ what, program, rounds }: Load): Promise<BenchRow[]> {
  const ours: Cost[] = []
  const tmux: Cost[] = []
  const bare: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await costOf(openOurs, program))
    tmux.push(await costOf(openTmuxWithList, program))
    bare.push(await costOf(openTmux, program))
  }
  const cpu = { which: 'cpu', name: 'CPU of all but the program' } as const
  return [
    compare(what, { which: 'wall', name: 'until shown', most: 1.3 }, { ours, tmux }),
    compare(what, { ...cpu, most: 2 }, { ours, tmux }),
    compare(what, { ...cpu, most: null }, { ours, tmux: bare }),
  ]
}

interface Aspect {
  readonly which: keyof Cost
  readonly name: string
  /** null: shown for comparison. */
  readonly most: number | null
}

interface Costs {
  readonly ours: readonly Cost[]
  readonly tmux: readonly Cost[]
}

function compare(what: string, { which, name, most }: Aspect, { ours, tmux }: Costs): BenchRow {
  const [a, b] = [median(ours.map((cost) => cost[which])), median(tmux.map((cost) => cost[which]))]
  return {
    what: `${what}, ${name}`,
    ours: a,
    reference_name: most === null ? 'tmux, full width' : 'tmux, beside a list',
    reference: b,
    unit: 'ms',
    target: most === null ? 'for comparison' : `at most ${most}x`,
    met: most === null ? null : a <= most * b,
  }
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
