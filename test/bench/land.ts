// Measures a landing on a branch that has moved on, against `git cherry-pick` of the same commits in the same tree. The
// landing also reads all of the sandbox's files, because it must know whether anything there is uncommitted. Both start
// git by a small process, as the dashboard does: started from here, git would cost more with every megabyte that this
// bench holds. The sandbox is as its host leaves it: the host took one more look after the agent's end, and kept it.

import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openChangeset } from '../../src/core/changesets/open-changeset.ts'
import { runProcess } from '../../src/core/doors/spawner/run-process.ts'
import type { Spawner } from '../../src/core/doors/spawner/spawner.ts'
import { parseObjectId } from '../../src/core/model/ids.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import type { WorktreeRecord } from '../../src/core/model/worktree.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { readInvocation, writeInvocation } from '../../src/core/store/invocations.ts'
import { openRepository, type Repository } from '../../src/core/store/repository.ts'
import { listWorktrees, updateWorktree } from '../../src/core/store/worktrees.ts'
import { type BenchRow, compare, timed } from './bench.ts'
import { benchEffects, readySpawner } from './doors.ts'
import { type Bench, filePath, freshPath, makeBench } from './fixtures.ts'

const FILES = 100_000

export async function benchLand(): Promise<BenchRow[]> {
  const spawner = await readySpawner()
  const bench = makeBench(FILES)
  bench.agency('worktree', 'create', '--name', 'bench')
  const rows: BenchRow[] = []
  for (const { commits, most } of [
    { commits: 1, most: 1.5 },
    { commits: 20, most: 0.4 },
  ]) {
    const stage = await makeStage(bench, commits, spawner)
    rows.push(
      await compare({
        what: `land of ${commits} commit${commits === 1 ? '' : 's'}, ${FILES.toLocaleString('en')} files`,
        rounds: 8,
        ours: () => landOnce(stage),
        reference_name: 'git cherry-pick',
        reference: () => pickOnce(stage),
        target: `at most ${most}x`,
        met: (ours, reference) => ours <= most * reference,
      }),
    )
  }
  return rows
}

export interface Stage {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly worktree: WorktreeRecord
  /** Where the branch is before each round. The sandbox began one commit earlier. */
  readonly head: string
  readonly tip: string
  /** A copy of the sandbox's git directory. */
  readonly gitDir: string
}

export async function makeStage(bench: Bench, commits: number, spawner: Spawner): Promise<Stage> {
  const repository = await openRepository(benchEffects(bench.dataDir, spawner), bench.root)
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--no-start', '--json']
  const made: { data: { invocation: InvocationRecord } } = JSON.parse(bench.agency(...start))
  const begun = readInvocation(repository.paths, made.data.invocation.invocation_id)
  const record: InvocationRecord = { ...begun, status: 'finished', landing_status: 'pending' }
  const [worktree] = listWorktrees(repository.paths)
  if (worktree === undefined) throw new Error('the worktree was not made')
  const gitDir = freshPath('git-dir')
  const stage = { repository, record, worktree, gitDir }
  for (let n = 0; n < commits; n++) commit(showPath(record.sandbox_path), 5000 * n + 17)
  commit(worktree.tree_path, FILES - 30 - commits)
  cpSync(showPath(record.git_dir), gitDir, { recursive: true, preserveTimestamps: true })
  await writeInvocation(repository.paths, record)
  return { ...stage, head: git(worktree.tree_path, 'HEAD'), tip: git(showPath(record.sandbox_path), 'HEAD') }
}

const git = (cwd: string, revision: string): string => run(cwd, 'rev-parse', revision).trim()

const run = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' })

function commit(tree: string, file: number): void {
  appendFileSync(join(tree, filePath(file)), 'One line more.\n')
  run(tree, 'commit', '-q', '-a', '-m', `Change file ${file}`)
}

async function landOnce(stage: Stage): Promise<number> {
  await openChangeset(stage.repository, stage.record).keepLook()
  return landAsItIs(stage)
}

/** Lands the sandbox with the look that was kept of it, or with none. Returns milliseconds. */
export async function landAsItIs(stage: Stage): Promise<number> {
  const { repository, record } = stage
  const took = await timed(() => landInvocation(repository, record, {}))
  if (readInvocation(repository.paths, record.invocation_id).landing_status !== 'landed') {
    throw new Error('it did not land')
  }
  await rewind(stage)
  return took
}

async function pickOnce({ repository, worktree, record, head, tip }: Stage): Promise<number> {
  const { tree_path } = worktree
  const { spawner } = repository.effects
  const env = { ...process.env } as Record<string, string>
  const picking = ['cherry-pick', `${record.base_commit}..${tip}`]
  const took = await timed(async () => {
    const { exitCode } = await runProcess('git', picking, { spawner, cwd: tree_path, env })
    if (exitCode !== 0) throw new Error('git cherry-pick failed')
  })
  run(tree_path, 'reset', '-q', '--hard', head)
  return took
}

/** Puts everything back as it was. The sandbox is still in the trash, because nothing here is deleted. */
async function rewind({ repository, record, worktree, head, tip, gitDir }: Stage): Promise<void> {
  const { paths } = repository
  const [trashed] = readdirSync(paths.trashDir).filter((name) => name.startsWith(record.invocation_id))
  renameSync(join(paths.trashDir, trashed ?? ''), showPath(record.sandbox_path))
  cpSync(gitDir, showPath(record.git_dir), { recursive: true, preserveTimestamps: true })
  run(repository.record.root, 'update-ref', `refs/heads/${record.sandbox_branch}`, tip)
  run(worktree.tree_path, 'reset', '-q', '--hard', head)
  await updateWorktree(paths, worktree.worktree_id, { known_head: parseObjectId(head) })
  await writeInvocation(paths, record)
}
