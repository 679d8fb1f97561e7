// Measures what it costs to look on: CPU of the whole dashboard beside fifty silent agents, and of its observer alone,
// also beside five that print and edit files.

import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemProcesses } from '../../src/core/doors/system/processes.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import type { BenchRow } from './bench.ts'
import { type Bench, makeBench } from './fixtures.ts'
import type { Looking, ObserverCost } from './observe-alone.ts'
import { cpuWithChildren } from './process-cost.ts'
import { openDashboard } from './stages.ts'

const SECONDS = 20
/** After this time, each agent's work has been measured once. */
const SETTLING_SECONDS = 10
const TARGET_PERCENT = 1

export async function benchIdle(): Promise<BenchRow[]> {
  const bench = makeBench(1_000)
  bench.agency('worktree', 'create', '--name', 'bench')
  const quiet = Array.from({ length: 50 }, () => startSilent(bench))
  const asleep = await lookOn(bench, { observing: false })
  const whole = await watchDashboard(bench)
  const idle = await lookOn(bench, {})
  const work = setInterval(() => quiet.slice(0, 5).forEach(printAndEdit), 200)
  const busy = await lookOn(bench, {})
  const heard = await lookOn(bench, { listening: true })
  const deaf = await lookOn(bench, { listening: true, observing: false })
  clearInterval(work)
  return [
    {
      ...row('dashboard beside 50 idle invocations, CPU', whole, asleep.own),
      target: `under ${TARGET_PERCENT} % of a core`,
      met: whole < TARGET_PERCENT,
    },
    {
      ...row('observer beside 50 idle invocations, CPU', idle.own, asleep.own),
      target: `under ${TARGET_PERCENT} % of a core`,
      met: idle.own < TARGET_PERCENT,
    },
    row('the same with the git that it starts', idle.with_git, asleep.own),
    row('observer beside 5 working and 45 idle ones, CPU', busy.own, asleep.own),
    row('the same with the git that it starts', busy.with_git, asleep.own),
    { ...row('longest time without an ear for keys', heard.longest_block, deaf.longest_block), unit: 'ms' },
  ]
}

const row = (what: string, ours: number, reference: number): BenchRow => ({
  what,
  ours,
  reference_name: 'a node that sleeps',
  reference,
  unit: '%',
  target: 'for comparison',
  met: null,
})

/** Makes a sandbox whose record names this process as its host, so that it seems to be running. */
function startSilent({ agency }: Bench): InvocationRecord {
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--headless', '--no-start']
  const envelope = JSON.parse(agency(...start, '--prompt', 'true', '--json'))
  const record: InvocationRecord = envelope.data.invocation
  const sandbox = join(showPath(record.sandbox_path), '..')
  const meta = join(sandbox, '..', '..', 'invocations', record.invocation_id, 'meta.json')
  const running = {
    ...JSON.parse(readFileSync(meta, 'utf8')),
    status: 'running',
    finished_at: null,
    landing_status: null,
    exit_reason: null,
    host: { ...systemProcesses().self, socket_path: '' },
  }
  writeFileSync(meta, `${JSON.stringify(running, null, 2)}\n`)
  mkdirSync(join(sandbox, 'logs'), { recursive: true })
  writeFileSync(join(sandbox, 'logs', 'raw.jsonl'), 'hello\n')
  return record
}

function printAndEdit({ sandbox_path }: InvocationRecord): void {
  const [dir = ''] = readdirSync(showPath(sandbox_path)).filter((name) => name.startsWith('dir-'))
  appendFileSync(join(showPath(sandbox_path), '..', 'logs', 'raw.jsonl'), 'another line of output\n')
  appendFileSync(join(showPath(sandbox_path), dir, `new-${Date.now() % 7}.txt`), 'a line\n')
}

/** Percent of a core that a settled dashboard uses, with a spinner on each row and with the git that it starts. */
async function watchDashboard(bench: Bench): Promise<number> {
  const terminal = openDashboard(bench)
  await delay(SETTLING_SECONDS * 1000)
  const before = cpuWithChildren([terminal.pid])
  await delay(SECONDS * 1000)
  const used = cpuWithChildren([terminal.pid]) - before
  await terminal.end()
  return (100 * used) / (SECONDS * 1000)
}

/** Observes in a process of its own, which runs this same program. */
async function lookOn({ root, dataDir }: Bench, how: Partial<Looking>): Promise<ObserverCost> {
  const usual = { cwd: root, dataDir, seconds: SECONDS, observing: true, listening: false }
  const looking: Looking = { ...usual, ...how }
  const program = process.argv[1] ?? ''
  const child = spawn(process.execPath, [program, OBSERVE_ALONE, JSON.stringify(looking)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) said += String(chunk)
  return JSON.parse(said)
}

/** This argument makes the bench program the process that is measured. */
export const OBSERVE_ALONE = '--observe-alone'
