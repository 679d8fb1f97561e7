// A facade in memory: it notes each call and gives the answer that a test has set, or a plain one.

import type { Agency } from '../../../src/core/facade/agency.ts'
import { describeEnvironment, LOCAL_ENVIRONMENT } from '../../../src/core/model/environment.ts'
import type { EnvironmentView } from '../../../src/core/model/environment-catalog.ts'
import { sandboxDiff } from '../records/diffs.ts'
import {
  checkpointRecord,
  commitOf,
  FINISHED,
  invocationRecord,
  invocationView,
  repoRecord,
  surveyedInvocation,
  worktreeRecord,
  worktreeView,
} from '../records/records.ts'

const LOCAL: EnvironmentView = {
  environment: LOCAL_ENVIRONMENT,
  is_default: true,
  words: describeEnvironment(LOCAL_ENVIRONMENT),
  refusals: [],
}
const ENVIRONMENTS: readonly EnvironmentView[] = [LOCAL]

export interface RecordedCall {
  readonly verb: string
  readonly args: readonly unknown[]
}

export interface RecordingAgency extends Agency {
  readonly calls: RecordedCall[]
}

/** `answers` replaces single verbs. */
export function recordingAgency(answers: Partial<Agency> = {}): RecordingAgency {
  const calls: RecordedCall[] = []
  const whole: Agency = { ...plainAgency, ...answers }
  const recorded = Object.fromEntries(
    Object.entries(whole).map(([verb, answer]) => [
      verb,
      typeof answer === 'function'
        ? (...args: unknown[]) => {
            calls.push({ verb, args })
            return answer(...args)
          }
        : answer,
    ]),
  )
  return { ...(recorded as unknown as Agency), calls }
}

const operation = {
  schema_version: '1.0',
  operation_id: '20260128121000-0001',
  at: '2026-01-28T12:10:00.000Z',
  kind: 'land',
  description: 'landed b7c9 (claude) onto my-feature, 2 commits',
  worktree_id: worktreeRecord().worktree_id,
  invocation_ids: [invocationRecord().invocation_id],
  refs: [],
  target: null,
} as const

const plainAgency: Agency = {
  repository: repoRecord,
  config: {},
  createWorktree: async ({ name }) => worktreeRecord({ name }),
  listWorktrees: async () => [worktreeView({ active: 2, needs_input: 1, ready: 1 })],
  showWorktree: async () => worktreeView(),
  removeWorktree: async () => ({ worktree: worktreeRecord({ state: 'archived' }), discarded: [], notes: [] }),
  startInvocation: async () => invocationRecord(),
  listInvocations: async () => ({ invocations: [invocationView()], broken: [] }),
  showInvocation: async () => invocationView(),
  invocationEvents: async () => [{ at: '2026-01-28T12:05:00.000Z', kind: 'started', message: 'claude runs' }],
  logPaths: async () => ({
    raw: '/none/raw',
    stderr: '/none/stderr',
    stream: '/none/stream',
    cast: '/none/cast',
  }),
  renameInvocation: async (_, name) => invocationRecord({ invocation_name: name }),
  stopInvocation: async () => ({ invocation: invocationRecord(FINISHED), ended: true }),
  killInvocation: async () => ({ invocation: invocationRecord(FINISHED), ended: true }),
  waitInvocation: async () => invocationView(FINISHED, { display: 'ready' }),
  sendText: async () => {},
  attach: async () => ({ write: () => {}, resize: () => {}, detach: () => {} }),
  diffInvocation: async () => sandboxDiff(),
  forecastLanding: async () => ({ kind: 'clean', manner: 'commits', commits: 1 }),
  surveyInvocations: async () => ({ invocations: [surveyedInvocation()], broken: [], closed: [] }),
  surveyWorktrees: async () => [worktreeRecord()],
  stampBranches: async () => new Map(),
  operationsFrom: async () => ({
    operations: [{ ...operation, refs: [], invocation_ids: [] }],
    begin: 0,
    end: 1,
  }),
  watchRecords: async () => ({ follow: () => {}, close: async () => {} }),
  landInvocation: async () => ({
    invocation: invocationRecord({ ...FINISHED, landing_status: 'landed' }),
    worktree: worktreeRecord(),
    from: commitOf('7'),
    to: commitOf('8'),
    landed: [commitOf('8')],
    skipped: [],
    manner: 'commits',
    notes: [],
  }),
  discardInvocation: async () => ({
    invocation: invocationRecord({ ...FINISHED, landing_status: 'discarded' }),
    kept_ref: 'refs/agency/trash/20260128120500-b7c9',
    notes: [],
  }),
  listCheckpoints: async () => ({
    invocation: invocationRecord(FINISHED),
    checkpoints: [checkpointRecord(), checkpointRecord({ id: 2, parent: 1, reason: 'turn', turn: 3 })],
  }),
  showCheckpoint: async (_, id) => ({
    invocation: invocationRecord(FINISHED),
    checkpoint: checkpointRecord({ id }),
  }),
  createCheckpoint: async (_, options) => ({
    invocation: invocationRecord(),
    checkpoint: checkpointRecord({ id: 3, parent: 2, reason: 'asked', name: options?.name ?? null }),
    taken: true,
  }),
  nameCheckpoint: async (_, id, name) => ({
    invocation: invocationRecord(FINISHED),
    checkpoint: checkpointRecord({ id, name }),
  }),
  restoreCheckpoint: async (_, id) => ({
    invocation: invocationRecord(FINISHED),
    checkpoint: checkpointRecord({ id }),
    safety: checkpointRecord({ id: 3, parent: 2, reason: 'restore' }),
    notes: [],
  }),
  diffCheckpoint: async () => sandboxDiff(),
  exportCheckpoint: async (_, __, { path }) => ({ path, files: 12, notes: [] }),
  undo: async () => ({ operation: { ...operation, refs: [], invocation_ids: [] }, notes: [] }),
  redo: async () => ({ operation: { ...operation, refs: [], invocation_ids: [] }, notes: [] }),
  operations: async () => [{ operation: { ...operation, refs: [], invocation_ids: [] }, state: 'done' }],
  diagnose: async () => ({ findings: [], fixed: [] }),
  collectGarbage: async () => ({ dropped_refs: [], deleted_paths: [] }),
  listBranches: async () => ({ local: ['main'], current: 'main' }),
  uiMemory: async () => null,
  keepUiMemory: async () => {},
  environments: async () => ENVIRONMENTS,
  showEnvironment: async (name) => ENVIRONMENTS.find(({ environment }) => environment.name === name) ?? LOCAL,
  checkEnvironment: async () => ({ ...LOCAL, lines: [], proved: true }),
  runners: async () => [
    {
      name: 'shell',
      title: 'Shell',
      modes: ['headed', 'headless'],
      models: [],
      takes_model: false,
      permissions: [],
      availability: { state: 'ready', executable: '/bin/sh', version: null },
    },
  ],
}
