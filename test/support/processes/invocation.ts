// An invocation that is ready for its host. Real git made its repository, worktree and sandbox, and the store its
// records.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Effects } from '../../../src/core/doors/effects.ts'
import { spawnHere } from '../../../src/core/doors/spawner/local-spawner.ts'
import { systemProcesses } from '../../../src/core/doors/system/processes.ts'
import { systemClock } from '../../../src/core/doors/system/system-clock.ts'
import { LOCAL_ENVIRONMENT } from '../../../src/core/model/environment.ts'
import type { AgencyEvent } from '../../../src/core/model/event.ts'
import {
  formatStampedId,
  type InvocationId,
  parseInvocationId,
  parseObjectId,
  parseWorktreeId,
} from '../../../src/core/model/ids.ts'
import { type InvocationRecord, sandboxBranch } from '../../../src/core/model/invocation.ts'
import { INTEGRATION_MARKER, SANDBOX_MARKER } from '../../../src/core/model/markers.ts'
import type { HostDoor, HostLaunch, LaunchPlan, PendingHost } from '../../../src/core/model/runner.ts'
import { sandboxPath, showPath } from '../../../src/core/model/sandbox-path.ts'
import { integrationBranch } from '../../../src/core/model/worktree.ts'
import { readEvents } from '../../../src/core/store/events.ts'
import { readInvocation, writeInvocation } from '../../../src/core/store/invocations.ts'
import type { InvocationPaths } from '../../../src/core/store/paths.ts'
import { openRepository, type Repository } from '../../../src/core/store/repository.ts'
import { writeWorktree } from '../../../src/core/store/worktrees.ts'
import { hostDoor } from '../../../src/runners/host-client/host-door.ts'
import { git, makeRepository, makeScratch, writeFiles } from '../git/repository.ts'
import { waitUntil } from '../run/wait.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
export const HOST_ENTRY = join(ROOT, 'dist', 'host.js')

export type LaunchChange = Partial<Omit<HostLaunch, 'plan'>> & { readonly plan?: Partial<LaunchPlan> }

export interface TestInvocation {
  readonly id: InvocationId
  readonly at: InvocationPaths
  readonly repository: Repository
  readonly door: HostDoor
  readonly pid: () => number
  record(): InvocationRecord
  events(): AgencyEvent[]
  log(name: 'raw' | 'stderr' | 'stream' | 'cast'): string
  /** By default the plan runs `script` with sh. */
  prepare(script: string, change?: LaunchChange): Promise<PendingHost>
  launch(script: string, change?: LaunchChange): Promise<void>
  untilEnded(): Promise<InvocationRecord>
  socket(): string
}

let made = 0

/** What the invocation has started is killed when the test has finished. */
export async function makeInvocation(
  dataDir = join(makeScratch(), 'data'),
  hostEntry = HOST_ENTRY,
): Promise<TestInvocation> {
  const processes = systemProcesses()
  const door = hostDoor(hostEntry)
  mkdirSync(dataDir, { recursive: true })
  const repository = await openRepository(
    { dataDir, clock: systemClock, spawner: spawnHere, processes, env: process.env } as Effects,
    makeRepository(join(makeScratch(), 'repo')),
  )
  const id = await makeRecords(repository)
  const { paths } = repository
  const at = paths.invocation(id)
  const record = (): InvocationRecord => readInvocation(paths, id)
  let pid = 0
  const prepare = async (script: string, change: LaunchChange = {}): Promise<PendingHost> => {
    const host = await door.boot()
    pid = host.pid
    host.prepare({
      ...makeLaunch(repository, id),
      ...change,
      plan: { ...planOf(script), ...change.plan },
    })
    return host
  }
  onTestFinished(async () => {
    const host = record().host
    if (host !== null) processes.signal([host], 'SIGKILL')
    processes.signal(await processes.ofInvocation(id, showPath(at.tree)), 'SIGKILL')
  })
  return {
    id,
    at,
    repository,
    door,
    pid: () => pid,
    record,
    events: () => readEvents(paths, id),
    log: (name) => readFileSync(at[name], 'utf8'),
    prepare,
    launch: async (script, change) => (await prepare(script, change)).launch(),
    untilEnded: async () => {
      await waitUntil(() => record().finished_at !== null, { what: `${id} has ended` })
      await waitUntil(() => processes.identityOf(pid) === null, { what: `the host of ${id} is gone` })
      return record()
    },
    socket: () => record().host?.socket_path ?? '',
  }
}

const planOf = (script: string): LaunchPlan => ({
  argv: ['/bin/sh', '-c', script],
  env: {},
  stdin: null,
  runner_session_id: null,
})

const makeLaunch = (repository: Repository, id: InvocationId): HostLaunch => ({
  data_dir: repository.effects.dataDir,
  repo_id: repository.record.repo_id,
  invocation_id: id,
  mode: 'headless',
  stream_format: 'text',
  columns: 80,
  rows: 24,
  prompt: null,
  checkpoint: null,
  plan: planOf('exit 0'),
})

async function makeRecords({ record: repo, paths, effects }: Repository): Promise<InvocationId> {
  const now = new Date()
  const stamp = formatStampedId(now, Uint8Array.of(process.pid & 255, made++ & 255))
  const id = parseInvocationId(stamp)
  const worktreeId = parseWorktreeId(stamp)
  const branch = integrationBranch('feature', worktreeId)
  const base = parseObjectId(git(repo.root, 'rev-parse', 'HEAD'))
  const tree = paths.worktree(worktreeId).tree
  const sandbox = paths.invocation(id).tree
  git(repo.root, 'worktree', 'add', '-q', '-b', branch, tree)
  git(repo.root, 'worktree', 'add', '-q', '-b', sandboxBranch(id), showPath(sandbox), branch)
  writeFiles(tree, { [INTEGRATION_MARKER]: '', '.agency/.gitignore': '*\n' })
  writeFiles(showPath(sandbox), { [SANDBOX_MARKER]: '', '.agency/.gitignore': '*\n' })
  mkdirSync(paths.invocation(id).dir, { recursive: true })
  await writeWorktree(paths, {
    schema_version: '1.0',
    worktree_id: worktreeId,
    name: 'feature',
    repo_id: repo.repo_id,
    branch,
    parent_branch: 'main',
    tree_path: tree,
    git_dir: git(tree, 'rev-parse', '--absolute-git-dir'),
    created_at: now.toISOString(),
    last_used_at: now.toISOString(),
    state: 'present',
    known_head: base,
  })
  await writeInvocation(paths, {
    schema_version: '1.0',
    invocation_id: id,
    invocation_name: 'test',
    integration_worktree_id: worktreeId,
    sandbox_path: sandbox,
    sandbox_branch: sandboxBranch(id),
    git_dir: sandboxPath(git(showPath(sandbox), 'rev-parse', '--absolute-git-dir')),
    base_commit: base,
    runner: 'shell',
    mode: 'headless',
    model: null,
    environment: LOCAL_ENVIRONMENT,
    include_untracked: true,
    starter: effects.processes.self,
    host: null,
    pid: null,
    tmux_session: null,
    started_at: now.toISOString(),
    finished_at: null,
    status: 'starting',
    exit_reason: null,
    exit_code: null,
    exit_signal: null,
    failure: null,
    last_output_at: null,
    landing_status: null,
    prompt_source: 'none',
    prompt_path: null,
    prompt: null,
    runner_session_id: null,
    parent_invocation_id: null,
    usage: null,
  })
  return id
}
