// Discarding a sandbox, and the part of it that deletes, against `git worktree remove --force`.

import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { type BenchRow, compare, timed } from './bench.ts'
import { freshPath, makeBench } from './fixtures.ts'

export async function benchDelete(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { files, rounds } of [
    { files: 200, rounds: 7 },
    { files: 10_000, rounds: 5 },
    { files: 100_000, rounds: 3 },
  ]) {
    const bench = makeBench(files)
    bench.agency('worktree', 'create', '--name', 'bench')
    const prepared = Array.from({ length: rounds }, (_, n) => {
      const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--no-start', '--json']
      const envelope: { data: { invocation: InvocationRecord } } = JSON.parse(bench.agency(...start))
      const bare = freshPath('bare')
      bench.git('worktree', 'add', '-q', '-b', `bare-${n}`, bare, 'main')
      return { id: envelope.data.invocation.invocation_id, bare }
    })
    let turn = 0
    rows.push(
      await compare({
        what: `discard of a sandbox, whole command, ${files.toLocaleString('en')} files`,
        rounds,
        ours: () => timed(() => bench.agency('agent', 'discard', prepared[turn]?.id ?? '')),
        reference_name: 'git worktree remove',
        reference: () =>
          timed(() => bench.git('worktree', 'remove', '--force', prepared[turn++]?.bare ?? '')),
        target: 'ratio',
      }),
    )
  }
  return rows
}
