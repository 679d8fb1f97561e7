// Measures what taking checkpoints costs while an agent works: CPU of a host beside an idle agent and beside a busy
// one, against a host that takes none.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import type { BenchRow } from './bench.ts'
import { type Bench, freshPath, makeBench, PROGRAM } from './fixtures.ts'
import { cpuOf, cpuWithChildren } from './process-cost.ts'

const FILES = 10_000
const SECONDS = 60
/** Percent of a core. The defaults allow one checkpoint every ten seconds at most. */
const MOST_BUSY_PERCENT = 2
const MOST_IDLE_PERCENT = 0.2

const IDLE = 'sleep 1000'
/** Five edits a second for four seconds, then four seconds of rest. */
const BUSY = `n=0; while :; do for i in $(seq 20); do n=$((n + 1)); echo $n >> dir-$((n % 100))/sub-0/new.txt; sleep 0.2; done; sleep 4; done`

interface Cost {
  readonly own: number
  readonly with_git: number
}

export async function benchCheckpointHost(): Promise<BenchRow[]> {
  const bench = makeBench(FILES)
  bench.agency('worktree', 'create', '--name', 'bench')
  const [idle, idleWithout] = await measure(bench, IDLE)
  const [busy, busyWithout] = await measure(bench, BUSY)
  return [
    row('host beside an idle agent, CPU', [idle.own, idleWithout.own], MOST_IDLE_PERCENT),
    row('host beside a busy agent, CPU', [busy.own, busyWithout.own], MOST_BUSY_PERCENT),
    row('the same with the git that it starts', [busy.with_git, busyWithout.with_git], null),
  ]
}

const row = (what: string, [ours, reference]: [number, number], most: number | null): BenchRow => ({
  what,
  ours,
  reference_name: 'without checkpoints',
  reference,
  unit: '%',
  target: most === null ? 'for comparison' : `under ${most} % of a core`,
  met: most === null ? null : ours < most,
})

/** Runs a host with checkpoints and one without, at the same time. */
async function measure(bench: Bench, script: string): Promise<[Cost, Cost]> {
  const hosts = [start(bench, script, true), start(bench, script, false)]
  // Waits until the tree was looked at once and the code for that is loaded, because this happens only once.
  await delay(15_000)
  const before = hosts.map(({ pid }) => [cpuOf([pid]), cpuWithChildren([pid])] as const)
  await delay(SECONDS * 1000)
  const costs = hosts.map(({ pid }, at): Cost => {
    const [own = 0, all = 0] = before[at] ?? []
    const percent = (milliseconds: number): number => milliseconds / (10 * SECONDS)
    return { own: percent(cpuOf([pid]) - own), with_git: percent(cpuWithChildren([pid]) - all) }
  })
  for (const { id } of hosts) bench.agency('agent', 'kill', id)
  const [taking, without] = costs
  if (taking === undefined || without === undefined) throw new Error('a host was not measured')
  return [taking, without]
}

function start({ root, env }: Bench, script: string, checkpoints: boolean): { id: string; pid: number } {
  const config = freshPath('config')
  mkdirSync(join(config, 'agency'), { recursive: true })
  writeFileSync(join(config, 'agency', 'config.toml'), `[checkpoint]\nenabled = ${checkpoints}\n`)
  const args = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--headless', '--detached']
  const said = execFileSync(process.execPath, [PROGRAM, ...args, '--prompt', script, '--json'], {
    cwd: root,
    env: { ...env, XDG_CONFIG_HOME: config },
    encoding: 'utf8',
  })
  const { invocation_id, host }: InvocationRecord = JSON.parse(said).data.invocation
  const pid = host?.pid ?? Number.NaN
  // Throws if the host is not there, because it would seem to cost nothing.
  readFileSync(`/proc/${pid}/stat`)
  return { id: invocation_id, pid }
}
