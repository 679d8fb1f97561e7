// Measures the memory of the dashboard with four terminals on its stage, each with more lines behind it than it keeps.

import { setTimeout as delay } from 'node:timers/promises'
import type { BenchRow } from './bench.ts'
import { privateMegabytes } from './process-cost.ts'
import { agentProgram, hasTmux, openOurs, openTmux, type Stage } from './stages.ts'

const LIMIT_MB = 120
const PANES = 4
const LINES_BEHIND = 5000
const SECONDS = 10

export async function benchMemory(): Promise<BenchRow[]> {
  const programs = Array.from({ length: PANES }, () => agentProgram('endless', String(LINES_BEHIND)))
  const [dashboard = 0, ...hosts] = await memoryOf(await openOurs(programs))
  const tmux = hasTmux() ? sum(await memoryOf(await openTmux(programs))) : null
  const row = {
    reference_name: tmux === null ? 'tmux not installed' : 'tmux, server and client',
    reference: tmux ?? 0,
    unit: 'MB',
  } as const
  return [
    {
      ...row,
      what: `private memory of the dashboard with ${PANES} panes`,
      ours: dashboard,
      target: `under ${LIMIT_MB} MB`,
      met: dashboard < LIMIT_MB,
    },
    {
      ...row,
      what: 'the same with the hosts of its agents',
      ours: dashboard + sum(hosts),
      target: 'for comparison',
      met: null,
    },
  ]
}

/** Private MB of each of the stage's processes, in their order, after some seconds of printing. */
async function memoryOf({ pids, close }: Stage): Promise<number[]> {
  await delay(SECONDS * 1000)
  const memory = pids.map(privateMegabytes)
  await close()
  return memory
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
