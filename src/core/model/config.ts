// The person's configuration. It is strict: an unknown key is an error that names it.

import * as z from 'zod/mini'
import { checkpointConfigSchema } from './checkpoint-settings.ts'
import { environmentChangesSchema, LOCAL_ENVIRONMENT } from './environment.ts'
import { STREAM_FORMATS } from './runner.ts'

/**
 * A runner of the person's own. In argv, `{prompt}`, `{prompt_file}`, `{model}`, `{session_id}` and `{sandbox}` are
 * filled in. `{args}` stands for the arguments that are given at a start; without it they go to the end.
 */
export const customRunnerSchema = z.strictObject({
  title: z.optional(z.string()),
  headless: z.optional(z.array(z.string()).check(z.minLength(1))),
  headed: z.optional(z.array(z.string()).check(z.minLength(1))),
  /** How standard output is read. */
  stream: z.optional(z.enum(STREAM_FORMATS)),
  /** Where a headless run gets the prompt: in argv (default) or on standard input. */
  prompt_by: z.optional(z.enum(['argv', 'stdin'])),
  env: z.optional(z.record(z.string(), z.string())),
  models: z.optional(z.record(z.string(), z.string())),
})
export type CustomRunner = z.infer<typeof customRunnerSchema>

const KEY_EXPECTED = 'expected a key such as "ctrl+l", a list of keys, or false'
const chordsSchema = z.union([z.string(), z.array(z.string()), z.literal(false)], KEY_EXPECTED)

/**
 * Keys of the dashboard by the name of their action: `"invocation.land" = "ctrl+l"`. Without the quotes TOML reads that
 * as a table in a table. `false` takes the key away. The dashboard itself checks which names and keys exist.
 */
const keysSchema = z.record(
  z.string(),
  z.union([chordsSchema, z.record(z.string(), chordsSchema)], KEY_EXPECTED),
)

/** How the dashboard looks and which input it takes. */
export const uiSchema = z.strictObject({
  mouse: z.optional(z.boolean()),
  theme: z.optional(z.enum(['auto', 'dark', 'light'])),
  /** Draws frames and signs in ASCII only. */
  ascii: z.optional(z.boolean()),
})

const ownName = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/))
/** What `local` means must not depend on who reads a record. */
const isNotLocal = (name: string): boolean => name !== LOCAL_ENVIRONMENT.name

export const configSchema = z.strictObject({
  editor: z.optional(z.string()),
  default_runner: z.optional(z.string()),
  /** For how many days discarded work can be brought back. */
  keep_discarded: z.optional(z.number().check(z.minimum(0))),
  /** After so many seconds without output a running agent counts as stalled. */
  stalled_after: z.optional(z.number().check(z.minimum(1))),
  checkpoint: z.optional(checkpointConfigSchema),
  /** Name of the environment of a start that names none. */
  default_environment: z.optional(z.string()),
  environments: z.optional(z.record(ownName.check(z.refine(isNotLocal)), environmentChangesSchema)),
  runners: z.optional(z.record(ownName, customRunnerSchema)),
  keys: z.optional(keysSchema),
  ui: z.optional(uiSchema),
})
export type Config = z.infer<typeof configSchema> & {
  /** The environment that a repository asks for. It counts where it confines at least as much as the person's own. */
  readonly repository_environment?: string
}

/** What `.agency.toml` in a repository may set: nothing that could run a program or lose anything. */
export const REPOSITORY_SAFE_KEYS = ['default_runner', 'default_environment', 'stalled_after'] as const

export const CONFIG_DEFAULTS = { default_runner: 'claude', keep_discarded: 14, stalled_after: 300 } as const
