// One run of one runner, and the state of its sandbox: `invocations/<id>/meta.json` is the single truth for both.

import * as z from 'zod/mini'
import { environmentSchema } from './environment.ts'
import { type InvocationId, invocationIdSchema, objectIdSchema, worktreeIdSchema } from './ids.ts'
import { sandboxPathSchema } from './sandbox-path.ts'

/** A process. Its start time proves that it is the same one: a pid may have been given to another since. */
export const processIdentitySchema = z.looseObject({
  pid: z.number(),
  /** The system's own mark of when the process started (Linux: clock ticks since boot). Only compared for equality. */
  start_time: z.string(),
})
export type ProcessIdentity = z.infer<typeof processIdentitySchema>

export const hostRecordSchema = z.looseObject({ ...processIdentitySchema.def.shape, socket_path: z.string() })
export type HostRecord = z.infer<typeof hostRecordSchema>

/**
 * What a run cost, as far as the runner said, in dollars and tokens. Codex counts the tokens of its whole session, so
 * those of a follow-up include the runs before. They are not subtracted, because a run that was killed has never told
 * its own.
 */
export const usageSchema = z.looseObject({
  cost_usd: z.nullable(z.number()),
  input_tokens: z.nullable(z.number()),
  output_tokens: z.nullable(z.number()),
  turns: z.nullable(z.number()),
  /** Tool calls that the runner's own permissions refused. */
  denied_tools: z.array(z.string()),
})
export type Usage = z.infer<typeof usageSchema>

export const runModeSchema = z.enum(['headed', 'headless'])
export type RunMode = z.infer<typeof runModeSchema>

export const exitReasonSchema = z.enum(['exited', 'stopped', 'killed', 'unknown'])
export type ExitReason = z.infer<typeof exitReasonSchema>

/**
 * `starter` is the process that makes the sandbox, until the host is up. `last_output_at` is written only when the
 * state changes; between two changes the times of the log files tell.
 */
export const invocationRecordSchema = z.looseObject({
  schema_version: z.literal('1.0'),
  invocation_id: invocationIdSchema,
  invocation_name: z.string(),
  integration_worktree_id: worktreeIdSchema,
  sandbox_path: sandboxPathSchema,
  sandbox_branch: z.string(),
  /** The sandbox's own directory in the repository's `.git/worktrees`, as git named it, or its own repository. */
  git_dir: sandboxPathSchema,
  base_commit: objectIdSchema,
  runner: z.string(),
  mode: runModeSchema,
  model: z.nullable(z.string()),
  environment: environmentSchema,
  include_untracked: z.boolean(),
  starter: processIdentitySchema,
  host: z.nullable(hostRecordSchema),
  /** The runner's process id. null for headed runs, and before it is up. */
  pid: z.nullable(z.number()),
  tmux_session: z.null(),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
  status: z.enum(['starting', 'running', 'finished', 'failed']),
  exit_reason: z.nullable(exitReasonSchema),
  exit_code: z.nullable(z.number()),
  /** Name of the signal that ended the runner, such as SIGKILL. */
  exit_signal: z.nullable(z.string()),
  /** Why a run failed, in the runner's words or ours; untrusted text. */
  failure: z.nullable(z.string()),
  last_output_at: z.nullable(z.string()),
  landing_status: z.nullable(z.enum(['pending', 'landed', 'discarded'])),
  prompt_source: z.enum(['none', 'text', 'file', 'stdin', 'editor']),
  /**
   * The file with all that the runner was told: the person's prompt, and in a follow-up a sentence before it on where
   * it is now.
   */
  prompt_path: z.nullable(z.string()),
  /** The first 200 characters of the person's prompt on one line, for lists. */
  prompt: z.nullable(z.string()),
  runner_session_id: z.nullable(z.string()),
  parent_invocation_id: z.nullable(invocationIdSchema),
  usage: z.nullable(usageSchema),
})

export type InvocationRecord = z.infer<typeof invocationRecordSchema>

export const sandboxBranch = (id: InvocationId): string => `agency/sandbox-${id}`

/** The title of a host's process. A pid in a record is believed to be a host's only if the process has this title. */
export const hostTitle = (id: string): string => `agency-host ${id}`

/** Name of the socket that a host listens at. */
export const hostSocketName = (repoId: string, id: string): string => `${repoId.slice(0, 8)}-${id}`

export const isActive = (record: InvocationRecord): boolean =>
  record.status === 'starting' || record.status === 'running'

/** Landed or discarded: the sandbox's tree is gone, and only undo brings it back. */
export const isClosed = (record: InvocationRecord): boolean =>
  record.landing_status === 'landed' || record.landing_status === 'discarded'

/**
 * An invocation whose record cannot be trusted, or whose sandbox is not where the record says. Shown, never repaired
 * silently.
 */
export interface BrokenInvocation {
  readonly invocation_id: InvocationId
  readonly broken: true
  /** What is wrong, in words. */
  readonly reason: string
  /** The record, where it could be read. */
  readonly record: InvocationRecord | null
}

export const promptExcerpt = (prompt: string): string => prompt.replace(/\s+/g, ' ').trim().slice(0, 200)
