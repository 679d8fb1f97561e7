// A repository with a sandbox in it, as the start of an invocation leaves them, but without a runner. git and records
// are real, and a test can change the doors.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OWN_PARTS } from '../../../src/core/changesets/copy/own-repository.ts'
import { changesetKind, openChangeset } from '../../../src/core/changesets/open-changeset.ts'
import { FILLED } from '../../../src/core/changesets/worktree/make/filled-stamp.ts'
import { writeMarker } from '../../../src/core/changesets/worktree/proof/marker.ts'
import { inSteps } from '../../../src/core/doors/steps.ts'
import { LOCAL_ENVIRONMENT } from '../../../src/core/model/environment.ts'
import {
  type InvocationId,
  parseInvocationId,
  parseObjectId,
  parseWorktreeId,
} from '../../../src/core/model/ids.ts'
import { type InvocationRecord, sandboxBranch } from '../../../src/core/model/invocation.ts'
import { INTEGRATION_MARKER } from '../../../src/core/model/markers.ts'
import { showPath } from '../../../src/core/model/sandbox-path.ts'
import { integrationBranch, type WorktreeRecord } from '../../../src/core/model/worktree.ts'
import { writeInvocation } from '../../../src/core/store/invocations.ts'
import { openRepository, type Repository } from '../../../src/core/store/repository.ts'
import { writeWorktree } from '../../../src/core/store/worktrees.ts'
import { git, makeRepository, makeScratch } from '../git/repository.ts'
import { makeEffects } from './effects.ts'

export interface Scene {
  readonly root: string
  readonly repository: Repository
  readonly worktree: WorktreeRecord
  readonly record: InvocationRecord
  /** Path of the sandbox's tree. */
  readonly tree: string
}

/**
 * A repository, one integration worktree, and one finished invocation with its sandbox. `settings` are the person's, made
 * before agency has seen the repository.
 */
export async function makeScene(
  files?: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'person'), files)
  for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value)
  const repository = await openRepository(makeEffects(join(scratch, 'data')), root)
  const worktree = await makeWorktree(repository, 'feature')
  const record = await makeSandbox(repository, worktree)
  return { root, repository, worktree, record, tree: showPath(record.sandbox_path) }
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
    git_dir: readFileSync(join(tree_path, '.git'), 'utf8').slice('gitdir: '.length, -1),
    created_at: '2026-01-28T11:00:00.000Z',
    last_used_at: '2026-01-28T11:00:00.000Z',
    state: 'present',
    known_head: parseObjectId(git(tree_path, 'rev-parse', 'HEAD')),
  }
  await writeWorktree(repository.paths, record)
  return record
}

let minted = 0

/** The kind of sandbox that the tests are about. */
export const CHANGESET = process.env['TEST_CHANGESET'] ?? 'worktree'

/** If so, an agent reaches the person's refs and objects, and the person the agent's. */
export const SHARES_REPOSITORY = CHANGESET === 'worktree'

/** Brings the agent's commits into the person's repository, wherever they were made. */
export const bringHome = ({ repository, record }: Scene) => openChangeset(repository, record).capture()

/** What lies beside a sandbox's tree, without what its kind puts there. */
export const namesBeside = (tree: string): string[] =>
  readdirSync(join(tree, '..'))
    .filter((name) => !OWN_PARTS.includes(name) && name !== FILLED)
    .sort()

/** The sandbox begins at the tip of the worktree's branch. Its run has finished, and its landing is pending. */
export async function makeSandbox(
  repository: Repository,
  worktree: WorktreeRecord,
): Promise<InvocationRecord> {
  minted += 1
  const id = parseInvocationId(`20260128113000-${minted.toString(16).padStart(4, '0')}`)
  const at = repository.paths.invocation(id)
  mkdirSync(at.logsDir, { recursive: true, mode: 0o700 })
  mkdirSync(at.dir, { recursive: true, mode: 0o700 })
  const base = parseObjectId(git(worktree.tree_path, 'rev-parse', 'HEAD'))
  const made = await inSteps(repository.effects, async (step) => {
    const wanted = { id, branch: sandboxBranch(id), start: base, state: null, likely: null }
    const { filling, ...location } = await changesetKind({ changeset: CHANGESET }).make(
      repository,
      wanted,
      step,
    )
    await filling.ended
    return location
  })
  const record = makeRecord(id, {
    integration_worktree_id: worktree.worktree_id,
    ...made,
    base_commit: base,
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
  environment: { ...LOCAL_ENVIRONMENT, changeset: CHANGESET },
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

/**
 * All branches, each with its commit. As long as a sandbox is there, its own git says where its branch is: if it has a
 * repository of its own, the person's repository only follows when the sandbox is captured.
 */
export function branchesOf({ root, repository }: Pick<Scene, 'root' | 'repository'>): string[] {
  const listed = git(root, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads')
  return listed.split('\n').map((line) => {
    const [, branch = '', id = ''] = /^(agency\/sandbox-(\S+))/.exec(line) ?? []
    const tree = showPath(repository.paths.invocation(id).tree)
    return id !== '' && existsSync(tree) ? `${branch} ${git(tree, 'rev-parse', branch)}` : line
  })
}

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
