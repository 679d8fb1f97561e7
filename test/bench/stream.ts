// Measures what it costs to show what an agent prints: sixty thousand small writes, and fifteen seconds of an agent at
// work. The costs before code is compiled are measured apart, because a dashboard and its agents are kept for hours.

import { setTimeout as delay } from 'node:timers/promises'
import { type BenchRow, median } from './bench.ts'
import { cpuOf } from './process-cost.ts'
import { agentProgram, hasTmux, type OpenStage, openOurs, openTmux, openTmuxWithList } from './stages.ts'

/** Milliseconds after which a stage that was opened has nothing left to do. */
const SETTLED = 700
/** The program writes this when it has written everything. */
const MARK = 'QWYUV'

export interface Cost {
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
/** How often a program prints everything on one stage. */
const TIMES = 3

export async function benchStream(): Promise<BenchRow[]> {
  if (!hasTmux()) return []
  const rows: BenchRow[] = []
  for (const load of LOADS) rows.push(...(await compareCosts(load)))
  return rows
}

/** The costs of one stage: those of the first time, and those of later times. */
class Stages {
  readonly first: Cost[] = []
  readonly later: Cost[] = []

  async open(open: OpenStage, program: string): Promise<void> {
    const [first, ...later] = await costsOf(open, program)
    if (first !== undefined) this.first.push(first)
    this.later.push(...later)
  }
}

/** The limits are against tmux with a list beside the program, because that draws what ours draws. */
async function compareCosts({ what, program, rounds }: Load): Promise<BenchRow[]> {
  const [ours, tmux, bare] = [new Stages(), new Stages(), new Stages()]
  for (let round = 0; round < rounds; round++) {
    await ours.open(openOurs, program)
    await tmux.open(openTmuxWithList, program)
    await bare.open(openTmux, program)
  }
  const later = { ours: ours.later, tmux: tmux.later }
  const first = { ours: ours.first, tmux: tmux.first }
  const wall = { which: 'wall', name: 'until shown' } as const
  const cpu = { which: 'cpu', name: 'CPU of all but the program' } as const
  return [
    compare(what, { ...wall, most: 1.3 }, later),
    compare(what, { ...cpu, most: 2 }, later),
    compare(what, { ...cpu, most: null, beside: 'tmux, full width' }, { ours: ours.later, tmux: bare.later }),
    compare(`${what}, the first time`, { ...wall, most: null }, first),
    compare(`${what}, the first time`, { ...cpu, most: null }, first),
  ]
}

interface Aspect {
  readonly which: keyof Cost
  readonly name: string
  /** null if it is shown for comparison only. */
  readonly most: number | null
  readonly beside?: string
}

interface Costs {
  readonly ours: readonly Cost[]
  readonly tmux: readonly Cost[]
}

function compare(
  what: string,
  { which, name, most, beside = 'tmux, beside a list' }: Aspect,
  { ours, tmux }: Costs,
): BenchRow {
  const [a, b] = [median(ours.map((cost) => cost[which])), median(tmux.map((cost) => cost[which]))]
  return {
    what: `${what}, ${name}`,
    ours: a,
    reference_name: beside,
    reference: b,
    unit: 'ms',
    target: most === null ? 'for comparison' : `at most ${most}x`,
    met: most === null ? null : a <= most * b,
  }
}

async function costsOf(open: OpenStage, program: string): Promise<Cost[]> {
  const { terminal, pids, close } = await open([program])
  const costs: Cost[] = []
  for (let time = 0; time < TIMES; time++) {
    await delay(SETTLED)
    const before = cpuOf(pids)
    const shown = terminal.writes(MARK)
    terminal.type('\r')
    costs.push({ wall: await shown, cpu: cpuOf(pids) - before })
  }
  await close()
  return costs
}
