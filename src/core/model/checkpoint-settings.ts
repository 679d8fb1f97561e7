// `[checkpoint]` of config.toml, and the defaults.

import * as z from 'zod/mini'

const seconds = z.number().check(z.minimum(1))
const minutes = z.number().check(z.minimum(0))

export const checkpointConfigSchema = z.strictObject({
  /** false: no automatic ones. `agency checkpoint create` still takes them. */
  enabled: z.optional(z.boolean()),
  /** Take one after each turn that the runner reports. */
  on_turn: z.optional(z.boolean()),
  /** What happens while there is an untracked secret: it is left out, or no checkpoint is taken. */
  on_denylisted: z.optional(z.enum(['exclude', 'skip'])),
  /** Globs of file names, beside those that always count as secrets. */
  denylist: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** In bytes. A larger file is left out, unless git holds it already. */
  max_file_size: z.optional(z.number().check(z.minimum(0))),
  /** How long there has to be no change before one is taken. */
  quiet_seconds: z.optional(seconds),
  /** The least time between two of them. */
  least_seconds: z.optional(seconds),
  /** If files cannot be watched, they are looked at this often. */
  interval_seconds: z.optional(seconds),
  /** Younger checkpoints are all kept. */
  keep_all_minutes: z.optional(minutes),
  /** Older ones are kept one in so many minutes, … */
  keep_every_minutes: z.optional(minutes),
  /** … until they are this old; … */
  keep_every_for_minutes: z.optional(minutes),
  /** … then one in so many minutes. */
  keep_old_every_minutes: z.optional(minutes),
})

export type CheckpointConfig = z.infer<typeof checkpointConfigSchema>
export type CheckpointSettings = {
  readonly [K in keyof CheckpointConfig]-?: Readonly<NonNullable<CheckpointConfig[K]>>
}

export const CHECKPOINT_DEFAULTS: CheckpointSettings = {
  enabled: true,
  on_turn: true,
  on_denylisted: 'exclude',
  denylist: [],
  max_file_size: 50 * 1024 * 1024,
  quiet_seconds: 3,
  least_seconds: 10,
  interval_seconds: 30,
  keep_all_minutes: 60,
  keep_every_minutes: 10,
  keep_every_for_minutes: 24 * 60,
  keep_old_every_minutes: 60,
}

/** `said` is that section of the configuration; undefined if there is none. */
export const checkpointSettings = (said: CheckpointConfig | undefined): CheckpointSettings =>
  Object.assign({}, CHECKPOINT_DEFAULTS, said)
