// Measures a checkpoint of one changed file: by known paths, and by a look at the whole tree. It is compared with
// `git status`, which is the least that such a look can cost, and with the plain recipe: copy the index, `add -A`,
// write the tree, commit it.

import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnHere } from '../../src/core/doors/spawner/local-spawner.ts'
import type { Spawner } from '../../src/core/doors/spawner/spawner.ts'
import { checkpointSettings } from '../../src/core/model/checkpoint-settings.ts'
import type { InvocationRecord } from '../../src/core/model/invocation.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { type Checkpointer, openCheckpointer } from '../../src/core/operations/checkpoints/checkpointer.ts'
import { readInvocation } from '../../src/core/store/invocations.ts'
import { openRepository, type Repository } from '../../src/core/store/repository.ts'
import { type BenchRow, compare, timed } from './bench.ts'
import { benchEffects } from './doors.ts'
import { filePath, freshPath, makeBench } from './fixtures.ts'

const SIZES = [200, 10_000, 100_000]
const MOST_MS = 30
const LARGE = 200 * 1024 * 1024

export async function benchCheckpoint(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const files of SIZES) rows.push(...(await benchSize(files)))
  return rows
}

async function benchSize(files: number): Promise<BenchRow[]> {
  const stage = await makeStage(files)
  const named = `${files.toLocaleString('en')} files`
  const status = {
    reference_name: 'git status',
    reference: () => timed(() => git(stage, 'status', '--porcelain')),
  }
  const most = files === 100_000 ? 0.2 : Number.POSITIVE_INFINITY
  const rows = [
    await compare({
      what: `checkpoint by paths, ${named}`,
      rounds: 12,
      ours: () => takeOne(stage, true),
      ...status,
      target: Number.isFinite(most) ? `under ${MOST_MS} ms and at most ${most}x` : `under ${MOST_MS} ms`,
      met: (ours, reference) => ours < MOST_MS && ours <= most * reference,
    }),
    await compare({
      what: `checkpoint by a look at the tree, ${named}`,
      rounds: 8,
      ours: () => takeOne(stage, false),
      ...status,
      target: 'at most 1.6x at 100,000 files: below, starting git is most of it',
      ...(files < 100_000 ? {} : { met: (ours: number, reference: number) => ours <= 1.6 * reference }),
    }),
    await compare({
      what: `checkpoint by paths, ${named}`,
      rounds: 5,
      ours: () => takeOne(stage, true),
      reference_name: 'copy of the index, add -A',
      reference: () => recipe(stage),
      target: 'the plain recipe',
    }),
  ]
  if (files === SIZES[0]) rows.push(await besideLarge(stage))
  return rows
}

async function besideLarge(stage: Stage): Promise<BenchRow> {
  writeFileSync(join(stage.tree, 'large.bin'), Buffer.alloc(LARGE, 'large'))
  await takeOne(stage, false)
  return compare({
    what: 'checkpoint by paths beside 200 MB untracked',
    rounds: 5,
    ours: () => takeOne(stage, true),
    reference_name: 'copy of the index, add -A',
    reference: () => recipe(stage),
    target: `under ${MOST_MS} ms`,
    met: (ours) => ours < MOST_MS,
  })
}

export interface Stage {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly tree: string
  readonly checkpointer: Checkpointer
  readonly scratchIndex: string
  readonly gitDir: string
  readonly files: number
}

export async function makeStage(files: number, spawner: Spawner = spawnHere): Promise<Stage> {
  const bench = makeBench(files)
  bench.agency('worktree', 'create', '--name', 'bench')
  const start = ['agent', 'start', '--worktree', 'bench', '--runner', 'shell', '--no-start', '--json']
  const made: { data: { invocation: InvocationRecord } } = JSON.parse(bench.agency(...start))
  const repository = await openRepository(benchEffects(bench.dataDir, spawner), bench.root)
  const record = readInvocation(repository.paths, made.data.invocation.invocation_id)
  const stage: Stage = {
    repository,
    record,
    tree: showPath(record.sandbox_path),
    checkpointer: openCheckpointer(repository, record),
    scratchIndex: freshPath('index'),
    gitDir: showPath(record.git_dir),
    files,
  }
  git(stage, 'status')
  await takeOne(stage, false)
  return stage
}

let edited = 0

/** Returns the path of the edited file. */
export function editOne({ tree, files }: Stage): string {
  const path = filePath((edited++ * 37) % files)
  appendFileSync(join(tree, path), `Edit ${edited}.\n`)
  return path
}

export async function takeOne(stage: Stage, byPaths: boolean): Promise<number> {
  const path = editOne(stage)
  const request = { reason: 'quiet', settings: checkpointSettings(undefined) } as const
  const paths = byPaths ? new Set([path]) : null
  let by = ''
  const took = await timed(async () => {
    by = (await stage.checkpointer.take({ ...request, paths })).by
  })
  if ((by === 'paths') !== byPaths) throw new Error(`it was taken by ${by}`)
  return took
}

/** What anybody would write first. */
async function recipe(stage: Stage): Promise<number> {
  editOne(stage)
  const took = await timed(() => {
    copyFileSync(join(stage.gitDir, 'index'), stage.scratchIndex)
    git(stage, 'ls-files', '-o', '--exclude-standard')
    const env = { GIT_INDEX_FILE: stage.scratchIndex }
    run(stage.tree, ['add', '-A'], env)
    const tree = run(stage.tree, ['write-tree'], env)
    const commit = run(stage.tree, ['commit-tree', tree, '-p', 'HEAD', '-m', 'snapshot'], {})
    git(stage, 'update-ref', 'refs/bench/snapshot', commit)
  })
  rmSync(stage.scratchIndex, { force: true })
  return took
}

const git = ({ tree }: Stage, ...args: string[]): string =>
  run(tree, ['-c', 'core.hooksPath=/dev/null', ...args], { GIT_OPTIONAL_LOCKS: '0' })

function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>): string {
  const all = { ...process.env, ...env }
  return execFileSync('git', args, { cwd, env: all, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()
}
