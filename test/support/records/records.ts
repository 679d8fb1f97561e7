// Records as they lie on disk, for tests that need one and care for a few of its fields.

import type { InvocationView, WorktreeView } from '../../../src/core/facade/agency.ts'
import type { SurveyedInvocation } from '../../../src/core/facade/watching.ts'
import type { Checkpoint } from '../../../src/core/model/checkpoint.ts'
import { LOCAL_ENVIRONMENT } from '../../../src/core/model/environment.ts'
import {
  parseInvocationId,
  parseObjectId,
  parseWorktreeId,
  repoIdSchema,
} from '../../../src/core/model/ids.ts'
import type { InvocationRecord, Usage } from '../../../src/core/model/invocation.ts'
import type { RepoRecord } from '../../../src/core/model/repo.ts'
import { sandboxPath } from '../../../src/core/model/sandbox-path.ts'
import type { WorktreeRecord } from '../../../src/core/model/worktree.ts'

export const REPO_ID = repoIdSchema.parse('0123456789abcdef')

export const repoRecord: RepoRecord = {
  schema_version: '1.0',
  repo_id: REPO_ID,
  root: '/repo',
  git_common_dir: '/repo/.git',
  created_at: '2026-01-28T11:00:00.000Z',
  last_used_at: '2026-01-28T11:00:00.000Z',
  trusted_config: [],
}

export const commitOf = (digit: string): ReturnType<typeof parseObjectId> => parseObjectId(digit.repeat(40))

export function worktreeRecord(change: Partial<WorktreeRecord> = {}): WorktreeRecord {
  return {
    schema_version: '1.0',
    worktree_id: parseWorktreeId('20260128120000-a3f2'),
    name: 'my-feature',
    repo_id: REPO_ID,
    branch: 'agency/my-feature-a3f2',
    parent_branch: 'main',
    tree_path: '/data/worktrees/20260128120000-a3f2/tree',
    git_dir: '/repo/.git/worktrees/tree',
    created_at: '2026-01-28T12:00:00.000Z',
    last_used_at: '2026-01-28T12:04:00.000Z',
    state: 'present',
    known_head: commitOf('7'),
    ...change,
  }
}

export function worktreeView(change: Partial<WorktreeView> = {}): WorktreeView {
  return { record: worktreeRecord(), active: 0, ready: 0, needs_input: 0, ...change }
}

export const usageOf = (change: Partial<Usage> = {}): Usage => ({
  cost_usd: 0.31,
  input_tokens: 12_000,
  output_tokens: 900,
  turns: 3,
  denied_tools: [],
  ...change,
})

export function invocationRecord(change: Partial<InvocationRecord> = {}): InvocationRecord {
  return {
    schema_version: '1.0',
    invocation_id: parseInvocationId('20260128120500-b7c9'),
    invocation_name: 'fixer',
    integration_worktree_id: parseWorktreeId('20260128120000-a3f2'),
    sandbox_path: sandboxPath('/data/sandboxes/20260128120500-b7c9/tree'),
    sandbox_branch: 'agency/sandbox-20260128120500-b7c9',
    git_dir: sandboxPath('/repo/.git/worktrees/tree1'),
    base_commit: commitOf('7'),
    runner: 'claude',
    mode: 'headless',
    model: null,
    environment: LOCAL_ENVIRONMENT,
    include_untracked: true,
    starter: { pid: 1, start_time: '1' },
    host: null,
    pid: null,
    tmux_session: null,
    started_at: '2026-01-28T12:05:00.000Z',
    finished_at: null,
    status: 'running',
    exit_reason: null,
    exit_code: null,
    exit_signal: null,
    failure: null,
    last_output_at: null,
    landing_status: null,
    prompt_source: 'text',
    prompt_path: null,
    prompt: 'Fix the failing test',
    runner_session_id: null,
    parent_invocation_id: null,
    usage: null,
    ...change,
  }
}

export const FINISHED: Partial<InvocationRecord> = {
  status: 'finished',
  exit_reason: 'exited',
  exit_code: 0,
  finished_at: '2026-01-28T12:07:00.000Z',
  landing_status: 'pending',
}

export function invocationView(
  change: Partial<InvocationRecord> = {},
  rest: Partial<Omit<InvocationView, 'record'>> = {},
): InvocationView {
  return {
    record: invocationRecord(change),
    worktree_name: 'my-feature',
    display: 'working',
    last_output_at: null,
    path: '/data/sandboxes/20260128120500-b7c9/tree',
    ...rest,
  }
}

/** The invocation as a survey tells of it. */
export const surveyedInvocation = (...given: Parameters<typeof invocationView>): SurveyedInvocation => ({
  ...invocationView(...given),
  checkpoints: null,
})

export function checkpointRecord(change: Partial<Checkpoint> = {}): Checkpoint {
  const id = change.id ?? 1
  return {
    id,
    snapshot_ref: `refs/agency/snapshots/20260128120500-b7c9/${id}`,
    snapshot_commit: commitOf('a'),
    head_sha: commitOf('8'),
    created_at: '2026-01-28T12:06:00.000Z',
    includes_untracked: true,
    diffstat: '+42 -15 in 3 files',
    parent: null,
    tree: commitOf('9'),
    reason: 'quiet',
    turn: null,
    name: null,
    excluded: [],
    incomplete: [],
    ...change,
  }
}
