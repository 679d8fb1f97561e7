// Measures the time from the command line to the runner's exec, against the bare `git worktree add` that any tool
// needs.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type BenchRow, compare, timed } from './bench.ts'
import { type Bench, freshPath, makeBench, PROGRAM } from './fixtures.ts'

const SIZES = [
  { files: 200, rounds: 9 },
  { files: 10_000, rounds: 9 },
  { files: 100_000, rounds: 3 },
]

export async function benchStart(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [await benchVersion()]
  for (const { files, rounds } of SIZES) {
    const bench = makeBench(files)
    bench.agency('worktree', 'create', '--name', 'bench')
    rows.push(
      await compare({
        what: `start of an invocation, ${files.toLocaleString('en')} files`,
        rounds,
        ours: () => onQuietDisk(() => startToExec(bench)),
        reference_name: 'git worktree add',
        reference: () => onQuietDisk(() => timed(() => addWorktree(bench))),
        target: files < 10_000 ? 'at most 250 ms more' : 'no slower',
        met: (ours, reference) => ours - reference < (files < 10_000 ? 250 : 0),
      }),
    )
  }
  return rows
}

const benchVersion = (): Promise<BenchRow> =>
  compare({
    what: 'agency --version',
    rounds: 21,
    ours: () => timed(() => execFileSync(process.execPath, [PROGRAM, '--version'])),
    reference_name: 'node -e 0',
    reference: () => timed(() => execFileSync(process.execPath, ['-e', '0'])),
    target: 'under 1.5x',
    met: (ours, reference) => ours < 1.5 * reference,
  })

/**
 * Each side leaves tens of megabytes for the kernel to write. Without a sync, the kernel would write them in the middle
 * of a later round, which would then measure that.
 */
export function onQuietDisk<T>(measure: () => T): T {
  execFileSync('sync')
  return measure()
}

let branches = 0
function addWorktree({ git }: Bench): void {
  git('worktree', 'add', '-q', '-b', `bare-${branches++}`, freshPath('bare'), 'main')
}

/** Milliseconds until the runner starts. It is a shell whose first act is to write down the time. */
export async function startToExec({ agency }: Bench): Promise<number> {
  const stamp = freshPath('stamp')
  const start = Date.now()
  agency(
    ...['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--headless', '--detached'],
    ...['--prompt', `date +%s%N > '${stamp}.part' && mv '${stamp}.part' '${stamp}'`],
  )
  while (!existsSync(stamp)) await delay(1)
  return Number(readFileSync(stamp, 'utf8')) / 1e6 - start
}
