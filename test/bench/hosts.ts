// Measures the private memory of one more host after its agent printed 15 MB, against a tmux server that did the same.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import type { BenchRow } from './bench.ts'
import { type Bench, freshPath, makeBench } from './fixtures.ts'
import { privateMegabytes } from './process-cost.ts'

const HOST_LIMIT_MB = 20
const HOSTS = 4
/** 15 MB in lines of 100 characters, then silence. */
const PRINT =
  "yes 'A line of output as an agent prints them, long enough to fill some columns of the terminal, and more.' | head -c 15000000; echo; echo READY; sleep 1000"

export async function benchHosts(): Promise<BenchRow[]> {
  const bench = makeBench(50)
  bench.agency('worktree', 'create', '--name', 'bench')
  const tmux = await tmuxMemory()
  const rows: BenchRow[] = []
  for (const mode of ['headless', 'headed'] as const) {
    const ours = await hostMemory(bench, mode)
    rows.push({
      what: `private memory of each of ${HOSTS} ${mode} hosts after 15 MB (${Math.floor(1024 / ours)} per GiB)`,
      ours,
      reference_name: tmux === null ? 'tmux not installed' : 'tmux',
      reference: tmux ?? 0,
      unit: 'MB',
      target: `at most ${HOST_LIMIT_MB} MB`,
      met: ours <= HOST_LIMIT_MB,
    })
  }
  return rows
}

/** Private MB of one host: the mean of several that run at once, because then none owns what they share of Node. */
async function hostMemory(bench: Bench, mode: 'headless' | 'headed'): Promise<number> {
  const hosts: PrintedHost[] = []
  for (let n = 0; n < HOSTS; n++) hosts.push(await startPrinting(bench, mode))
  const memory = hosts.reduce((sum, { pid }) => sum + privateMegabytes(pid), 0) / HOSTS
  for (const { id } of hosts) bench.agency('agent', 'kill', id)
  return memory
}

interface PrintedHost {
  readonly id: string
  readonly pid: number
}

/** Resolves once everything has been printed. */
async function startPrinting({ agency }: Bench, mode: 'headless' | 'headed'): Promise<PrintedHost> {
  const flags = mode === 'headless' ? ['--headless'] : []
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--detached', ...flags]
  const envelope = JSON.parse(agency(...start, '--prompt', PRINT, '--json'))
  const { invocation_id: id, host }: InvocationRecord = envelope.data.invocation
  const { paths } = JSON.parse(agency('agent', 'logs', id, '--json')).data
  const log: string = mode === 'headless' ? paths.raw : paths.cast
  await until(() => readFileSync(log, 'utf8').slice(-400).includes('READY'))
  await delay(500)
  return { id, pid: host?.pid ?? Number.NaN }
}

async function tmuxMemory(): Promise<number | null> {
  const socket = freshPath('tmux')
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' })
  if (spawnSync('tmux', ['-V']).status !== 0) return null
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40', PRINT)
  await until(() => tmux('capture-pane', '-p').includes('READY'))
  const memory = privateMegabytes(Number(tmux('display-message', '-p', '#{pid}')))
  tmux('kill-server')
  return memory
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await delay(50)
}
