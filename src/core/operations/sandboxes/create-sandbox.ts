// The part of a start that is done under the lock, in milliseconds: claim an id, register branch and tree with git,
// mark the tree, write the record. In this order, because whatever a kill leaves can then be found by its id. Writing
// the tree's files goes on beside the record and after it.

import type { SandboxLocation } from '../../changesets/changeset.ts'
import { changesetKind } from '../../changesets/open-changeset.ts'
import { hasMarker } from '../../changesets/worktree/proof/marker.ts'
import { readHeadFile, readLooseBranch } from '../../doors/git/read-head.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import type { Begun, RunStep } from '../../doors/steps.ts'
import { makeDir } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationId, type ObjectId, parseInvocationId } from '../../model/ids.ts'
import { type InvocationRecord, promptExcerpt, sandboxBranch } from '../../model/invocation.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import { appendEvent } from '../../store/events.ts'
import { writeInvocation } from '../../store/invocations.ts'
import { type Repository, touchRepository } from '../../store/repository.ts'
import { updateWorktree } from '../../store/worktrees.ts'
import type { ResolvedStart } from '../invocations/resolve-start.ts'
import { claimId } from './claim-id.ts'
import type { Fork } from './fork-source.ts'

export interface NewSandbox {
  readonly request: ResolvedStart
  readonly worktree: WorktreeRecord
  /** The invocation that this one follows up on. */
  readonly parent: InvocationRecord | null
  /** The state to begin with, if not the branch's tip. */
  readonly fork: Fork | null
  readonly step: RunStep
}

export interface CreatedSandbox {
  readonly record: InvocationRecord
  /** Goes on after the lock has been released. */
  readonly filling: Begun<void>
}

/** The caller holds the repository's lock, and undoes the steps if a later one fails. */
export async function createSandbox(repository: Repository, wanted: NewSandbox): Promise<CreatedSandbox> {
  const { paths } = repository
  const { step, worktree } = wanted
  checkTarget(worktree)
  await makeDir(paths.invocationsDir)
  const id = parseInvocationId(await claimId(repository, (claimed) => paths.invocation(claimed).dir, step))
  const base = await step({ name: 'read the base commit', run: () => baseCommit(repository, wanted) })
  const { fork } = wanted
  const made = await changesetKind(wanted.request.environment).make(
    repository,
    {
      id,
      branch: sandboxBranch(id),
      start: fork?.kept.head ?? base,
      state: fork,
      likely: likelyIndex(wanted),
    },
    step,
  )
  const record = newRecord(repository, { ...wanted, id, base, made })
  await step({ name: 'write the invocation record', run: () => writeInvocation(paths, record) })
  await step({
    name: 'mark worktree and repository as used',
    run: async () => {
      await updateWorktree(paths, worktree.worktree_id, { last_used_at: record.started_at })
      await touchRepository(repository)
    },
  })
  if (fork !== null) noteFork(repository, record, fork)
  return { record, filling: made.filling }
}

function noteFork(
  { paths }: Repository,
  { invocation_id }: InvocationRecord,
  { record, commit }: Fork,
): void {
  const message = `begun with the state ${commit} of ${record.invocation_id}`
  appendEvent(paths, invocation_id, { kind: 'forked', message, commit })
}

function checkTarget(worktree: WorktreeRecord): void {
  if (worktree.state === 'archived') {
    throw new AgencyError('E_WORKTREE_ARCHIVED', `the worktree ${worktree.name} is archived`)
  }
  if (!hasMarker(worktree.tree_path, INTEGRATION_MARKER)) {
    throw new AgencyError('E_NOT_INTEGRATION_TREE', `${worktree.tree_path} has no ${INTEGRATION_MARKER}`)
  }
}

/** The base of a fork is the base of its original, so that diff and land show the whole work. */
async function baseCommit({ git }: Repository, { worktree, fork }: NewSandbox): Promise<ObjectId> {
  if (fork !== null) return fork.record.base_commit
  const { branch, name } = worktree
  const tip = readLooseBranch(git.commonDir, branch) ?? (await readTip(git.store, `refs/heads/${branch}`))
  if (tip !== null) return tip
  throw new AgencyError('E_BRANCH_NOT_FOUND', `the branch of the worktree ${name} is gone: ${branch}`, {
    hint: 'agency doctor says how to get it back',
  })
}

/**
 * The git directory of the integration tree: as long as that is on its branch, its index is probably the one that is
 * needed.
 */
const likelyIndex = ({ worktree: { git_dir, branch }, fork }: NewSandbox): string | null =>
  fork === null && readHeadFile(git_dir) === `ref: refs/heads/${branch}` ? git_dir : null

interface MadeSandbox extends NewSandbox {
  readonly id: InvocationId
  readonly base: ObjectId
  readonly made: SandboxLocation
}

function newRecord(repository: Repository, made: MadeSandbox): InvocationRecord {
  const { request } = made
  const at = repository.paths.invocation(made.id)
  return {
    schema_version: '1.0',
    invocation_id: made.id,
    invocation_name: request.name ?? '',
    integration_worktree_id: made.worktree.worktree_id,
    sandbox_path: made.made.sandbox_path,
    sandbox_branch: sandboxBranch(made.id),
    git_dir: made.made.git_dir,
    base_commit: made.base,
    runner: request.runner,
    mode: request.mode,
    model: request.model ?? null,
    environment: request.environment,
    include_untracked: request.include_untracked ?? true,
    starter: repository.effects.processes.self,
    host: null,
    pid: null,
    tmux_session: null,
    started_at: repository.effects.clock.now().toISOString(),
    finished_at: null,
    status: 'starting',
    exit_reason: null,
    exit_code: null,
    exit_signal: null,
    failure: null,
    last_output_at: null,
    landing_status: null,
    prompt_source: request.prompt_source,
    prompt_path: request.prompt === null ? null : at.prompt,
    prompt: request.prompt === null ? null : promptExcerpt(request.prompt),
    runner_session_id: null,
    parent_invocation_id: made.parent?.invocation_id ?? null,
    usage: null,
  }
}
