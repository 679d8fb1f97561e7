// Measures the discard of a sandbox, which keeps all of its state first, and the part of it that deletes, both against
// `git worktree remove --force`.

import { openChangeset } from '../../src/core/changesets/open-changeset.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { openRepository } from '../../src/core/store/repository.ts'
import { type BenchRow, compare, timed } from './bench.ts'
import { benchEffects } from './doors.ts'
import { type Bench, freshPath, makeBench } from './fixtures.ts'

const SIZES = [
  { files: 200, rounds: 7 },
  { files: 10_000, rounds: 5 },
  { files: 100_000, rounds: 3 },
]

export async function benchDelete(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { files, rounds } of SIZES) {
    const bench = makeBench(files)
    bench.agency('worktree', 'create', '--name', 'bench')
    const size = `${files.toLocaleString('en')} files`
    const repository = await openRepository(benchEffects(bench.dataDir), bench.root)
    rows.push(
      await compareDeletions(bench, {
        what: `deleting a sandbox, ${size}`,
        rounds,
        remove: (record) => openChangeset(repository, record).remove(Date.now()),
        target: 'under 50 ms',
        met: (ours) => ours < 50,
      }),
      await compareDeletions(bench, {
        what: `discard of a sandbox, whole command, ${size}`,
        rounds,
        remove: (record) => void bench.agency('agent', 'discard', record.invocation_id),
        target: 'ratio',
      }),
    )
  }
  return rows
}

interface Deletion {
  readonly what: string
  readonly rounds: number
  readonly remove: (record: InvocationRecord) => unknown
  readonly target: string
  readonly met?: (ours: number) => boolean
}

async function compareDeletions(bench: Bench, { remove, ...named }: Deletion): Promise<BenchRow> {
  const sandboxes = Array.from({ length: named.rounds }, () => makeSandbox(bench))
  const trees = sandboxes.map(({ invocation_id }) => makeTree(bench, invocation_id))
  return await compare({
    ...named,
    ours: () => timed(() => remove(taken(sandboxes))),
    reference_name: 'git worktree remove',
    reference: () => timed(() => bench.git('worktree', 'remove', '--force', taken(trees))),
  })
}

function makeSandbox({ agency }: Bench): InvocationRecord {
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--no-start', '--json']
  const envelope: { data: { invocation: InvocationRecord } } = JSON.parse(agency(...start))
  return envelope.data.invocation
}

function makeTree({ git }: Bench, name: string): string {
  const tree = freshPath('bare')
  git('worktree', 'add', '-q', '-b', `bare-${name}`, tree, 'main')
  return tree
}

function taken<T>(things: T[]): T {
  const thing = things.shift()
  if (thing === undefined) throw new Error('there were fewer than rounds')
  return thing
}
