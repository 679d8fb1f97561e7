// Measures `agency agent ls` over a life's worth of invocations.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchRow, compare, timed } from './bench.ts'
import { makeBench } from './fixtures.ts'

export async function benchList(): Promise<BenchRow[]> {
  const bench = makeBench(50)
  bench.agency('worktree', 'create', '--name', 'bench')
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--headless']
  bench.agency(...start, '--prompt', 'echo x > new.txt; git add -A; git commit -qm New')
  const rows: BenchRow[] = []
  for (const records of [1, 1_000, 10_000]) {
    multiplyRecords(join(bench.dataDir, 'repos'), records)
    rows.push(
      await compare({
        what: `agent ls, ${records.toLocaleString('en')} records`,
        rounds: 9,
        ours: () => timed(() => bench.agency('agent', 'ls')),
        reference_name: 'node -e 0',
        reference: () => timed(() => execFileSync(process.execPath, ['-e', '0'])),
        target: 'under 300 ms',
        met: (ours) => ours < 300,
      }),
    )
  }
  rows.push(
    await compare({
      what: 'agent ls --all, 10,000 records and as many lines',
      rounds: 9,
      ours: () => timed(() => bench.agency('agent', 'ls', '--all')),
      reference_name: 'node -e 0',
      reference: () => timed(() => execFileSync(process.execPath, ['-e', '0'])),
      target: 'ratio',
    }),
  )
  return rows
}

/** Copies one real record until there are `count`, each landed and under an id of its own. */
function multiplyRecords(repos: string, count: number): void {
  const [repo = ''] = readdirSync(repos)
  const dir = join(repos, repo, 'invocations')
  const [first = ''] = readdirSync(dir)
  const text = readFileSync(join(dir, first, 'meta.json'), 'utf8')
  for (let n = readdirSync(dir).length; n < count; n++) {
    const id = `20250101${String(n).padStart(6, '0')}-${n.toString(16).padStart(4, '0')}`
    mkdirSync(join(dir, id))
    const record = { ...JSON.parse(text), invocation_id: id, landing_status: 'landed' }
    writeFileSync(join(dir, id, 'meta.json'), JSON.stringify(record, null, 2))
    if (n === 1) cpSync(join(dir, first, 'events.jsonl'), join(dir, id, 'events.jsonl'))
  }
}
