// What makes an agent's output be shown sooner, and with less CPU: line images.

import type { BenchRow } from '../bench.ts'
import { PROGRAM } from '../fixtures.ts'
import { agentProgram, openDashboardOf } from '../stages.ts'
import { type Cost, costsOf } from '../stream.ts'
import { rowOf } from './in-turns.ts'
import { buildWithout, type Lacking } from './without.ts'

/** Each round is a dashboard on which it is printed several times. */
const LOADS = [
  { what: '60,000 small writes', program: agentProgram('writes', '60000'), rounds: 4 },
  { what: '15 s of an agent that prints', program: agentProgram('stream', '15'), rounds: 1 },
]
const ASPECTS = [
  { which: 'wall', name: 'until shown' },
  { which: 'cpu', name: 'CPU' },
] as const

const OF_ALL: readonly Lacking[] = ['line images']

export async function benchOutput(): Promise<BenchRow[]> {
  const builds = [PROGRAM]
  for (const accelerator of OF_ALL) builds.push(await buildWithout(accelerator))
  const rows: BenchRow[] = []
  for (const { what, program, rounds } of LOADS) {
    const costs = builds.map((): Cost[] => [])
    for (let round = 0; round < rounds; round++)
      for (const [at, build] of builds.entries())
        costs[at]?.push(...(await costsOf((prompts) => openDashboardOf(build, prompts), program)))
    const [built = [], ...others] = costs
    for (const [at, accelerator] of OF_ALL.entries())
      for (const { which, name } of ASPECTS)
        rows.push(
          rowOf({
            accelerator,
            what: `${what}, ${name}`,
            with: built.map((cost) => cost[which]),
            without: (others[at] ?? []).map((cost) => cost[which]),
          }),
        )
  }
  return rows
}
