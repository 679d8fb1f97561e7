// What a starter writes to a new host: one line of JSON and later one word. And the one line that the host answers.

import * as z from 'zod/mini'
import { checkpointConfigSchema } from '../../core/model/checkpoint-settings.ts'
import { ERROR_CODES, type ErrorCode } from '../../core/model/error-codes.ts'
import { invocationIdSchema, repoIdSchema } from '../../core/model/ids.ts'
import { runModeSchema } from '../../core/model/invocation.ts'
import { type HostLaunch, STREAM_FORMATS } from '../../core/model/runner.ts'

const launchSchema = z.object({
  data_dir: z.string(),
  repo_id: repoIdSchema,
  invocation_id: invocationIdSchema,
  mode: runModeSchema,
  stream_format: z.enum(STREAM_FORMATS),
  plan: z.object({
    argv: z.tuple([z.string()], z.string()),
    env: z.record(z.string(), z.string()),
    stdin: z.nullable(z.string()),
    runner_session_id: z.nullable(z.string()),
    reports_status: z.optional(z.boolean()),
  }),
  needs: z.optional(
    z.object({
      variables: z.array(z.string()),
      hosts: z.array(z.string()),
      host_variables: z.array(z.string()),
      directories: z.array(
        z.object({
          path: z.string(),
          variable: z.string(),
          shown: z.array(z.string()),
          copied: z.array(z.string()),
          sessions: z.array(z.string()),
          beside: z.array(z.string()),
        }),
      ),
    }),
  ),
  resumes: z.optional(invocationIdSchema),
  columns: z.int().check(z.minimum(1), z.maximum(1000)),
  rows: z.int().check(z.minimum(1), z.maximum(1000)),
  prompt: z.nullable(z.string()),
  checkpoint: z.nullable(z.required(checkpointConfigSchema)),
})

/** The word that the sandbox is complete and the runner is to be started. */
export const GO = 'go\n'

const answerSchema = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    hint: z.string(),
  }),
])
export type HostAnswer = z.infer<typeof answerSchema>

/** Throws on anything else. Starter and host are always of the same build. */
export const parseLaunch = (line: string): HostLaunch => launchSchema.parse(JSON.parse(line))
export const parseAnswer = (line: string): HostAnswer => answerSchema.parse(JSON.parse(line))
export const formatLine = (message: HostLaunch | HostAnswer): string => `${JSON.stringify(message)}\n`
