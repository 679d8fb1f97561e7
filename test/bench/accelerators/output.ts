// Line images, while an agent prints: CPU of all but the program, and the time until all of it is shown.

import type { BenchRow } from '../bench.ts'
import { PROGRAM } from '../fixtures.ts'
import { agentProgram, openDashboardOf } from '../stages.ts'
import { type Cost, costsOf } from '../stream.ts'
import { rowOf } from './in-turns.ts'
import { buildWithout } from './without.ts'

const ROUNDS = 3
const LOADS = [
  { what: '60,000 small writes', program: agentProgram('writes', '60000') },
  { what: '15 s of an agent that prints', program: agentProgram('stream', '15') },
]

export async function benchOutput(): Promise<BenchRow[]> {
  const without = await buildWithout('line images')
  const rows: BenchRow[] = []
  for (const { what, program } of LOADS) {
    const [built, plain]: [Cost[], Cost[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      built.push(...(await costsOf((prompts) => openDashboardOf(PROGRAM, prompts), program)))
      plain.push(...(await costsOf((prompts) => openDashboardOf(without, prompts), program)))
    }
    for (const [which, name] of [
      ['wall', 'until shown'],
      ['cpu', 'CPU'],
    ] as const)
      rows.push(
        rowOf({
          accelerator: 'line images',
          what: `${what}, ${name}`,
          with: built.map((cost) => cost[which]),
          without: plain.map((cost) => cost[which]),
        }),
      )
  }
  return rows
}
