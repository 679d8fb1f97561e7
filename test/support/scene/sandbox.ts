// A repository with a sandbox in it, as the start of an invocation leaves them, without a runner: real git, real
// records, doors that a test can hold.

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeMarker } from '../../../src/core/effects/marker.ts'
import {
  type InvocationId,
  parseInvocationId,
  parseObjectId,
  parseWorktreeId,
} from '../../../src/core/model/ids.ts'
import {
  type InvocationRecord,
  LOCAL_ENVIRONMENT,
  sandboxBranch,
} from '../../../src/core/model/invocation.ts'
import { integrationBranch, type WorktreeRecord } from '../../../src/core/model/worktree.ts'
import { writeInvocation } from '../../../src/core/store/invocations.ts'
import { INTEGRATION_MARKER, SANDBOX_MARKER } from '../../../src/core/store/paths.ts'
import { openRepository, type Repository } from '../../../src/core/store/repository.ts'
import { writeWorktree } from '../../../src/core/store/worktrees.ts'
import { git, makeRepository, makeScratch } from '../git/repository.ts'
import { makeEffects } from './effects.ts'

export interface Scene {
  readonly root: string
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly record: InvocationRecord
  /** The sandbox's tree. */
  readonly tree: string
}

/** A repository, one integration worktree, and one finished invocation with its sandbox. */
export async function makeScene(files?: Readonly<Record<string, string>>): Promise<Scene> {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'person'), files)
  const repository = await openRepository(makeEffects(join(scratch, 'data')), root)
  const worktree = await makeWorktree(repository, 'feature')
  const record = await makeSandbox(repository, worktree)
  return { root, repository, worktree, record, tree: record.sandbox_path }
}

export async function makeWorktree(repository: Repository, name: string): Promise<WorktreeRecord> {
  const id = parseWorktreeId(`20260128110000-${Buffer.from(name).toString('hex').padEnd(4, '0').slice(0, 4)}`)
  const branch = integrationBranch(name, id)
  const tree_path = repository.paths.worktree(id).tree
  mkdirSync(dirname(tree_path), { recursive: true })
  const root = repository.record.root
  git(root, 'worktree', 'add', '-q', '--no-track', '-b', branch, tree_path, 'HEAD')
  writeMarker(tree_path, INTEGRATION_MARKER)
  const record: WorktreeRecord = {
    schema_version: '1.0',
    worktree_id: id,
    name,
    repo_id: repository.record.repo_id,
    branch,
    parent_branch: 'main',
    tree_path,
    git_dir: git(tree_path, 'rev-parse', '--absolute-git-dir'),
    created_at: '2026-01-28T11:00:00.000Z',
    last_used_at: '2026-01-28T11:00:00.000Z',
    state: 'present',
    known_head: parseObjectId(git(tree_path, 'rev-parse', 'HEAD')),
  }
  await writeWorktree(repository.paths, record)
  return record
}

let minted = 0

/** From the tip of the worktree's branch; finished, pending. */
export async function makeSandbox(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<InvocationRecord> {
  minted += 1
  const id = parseInvocationId(`20260128113000-${minted.toString(16).padStart(4, '0')}`)
  const at = repository.paths.invocation(id)
  mkdirSync(at.logsDir, { recursive: true, mode: 0o700 })
  mkdirSync(at.dir, { recursive: true, mode: 0o700 })
  const base = git(worktree.tree_path, 'rev-parse', 'HEAD')
  git(repository.record.root, 'worktree', 'add', '-q', '--no-track', '-b', sandboxBranch(id), at.tree, base)
  writeMarker(at.tree, SANDBOX_MARKER)
  const record = makeRecord(id, {
    integration_worktree_id: worktree.worktree_id,
    sandbox_path: at.tree,
    git_dir: git(at.tree, 'rev-parse', '--absolute-git-dir'),
    base_commit: parseObjectId(base),
  })
  await writeInvocation(repository.paths, record)
  return record
}

type Placed = Pick<InvocationRecord, 'integration_worktree_id' | 'sandbox_path' | 'git_dir' | 'base_commit'>

const makeRecord = (id: InvocationId, placed: Placed): InvocationRecord => ({
  schema_version: '1.0',
  invocation_id: id,
  invocation_name: 'tidy-up',
  ...placed,
  sandbox_branch: sandboxBranch(id),
  runner: 'shell',
  mode: 'headless',
  model: null,
  environment: LOCAL_ENVIRONMENT,
  include_untracked: true,
  starter: { pid: 1, start_time: 'test' },
  host: null,
  pid: null,
  tmux_session: null,
  started_at: '2026-01-28T11:30:00.000Z',
  finished_at: '2026-01-28T11:31:00.000Z',
  status: 'finished',
  exit_reason: 'exited',
  exit_code: 0,
  exit_signal: null,
  failure: null,
  last_output_at: null,
  landing_status: 'pending',
  prompt_source: 'text',
  prompt_path: null,
  prompt: 'Tidy up',
  runner_session_id: null,
  parent_invocation_id: null,
  usage: null,
})

/** Runs a shell script in a directory, as an agent would. */
export const shell = (cwd: string, script: string): string =>
  execFileSync('sh', ['-ec', script], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.com',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.com',
    },
  })
