// `[checkpoint]` of config.toml, and what holds where it says nothing.

import * as z from 'zod/mini'

const seconds = z.number().check(z.minimum(1))
const minutes = z.number().check(z.minimum(0))

export const checkpointConfigSchema = z.strictObject({
  /** false: none are taken by themselves. `agency checkpoint create` still takes them. */
  enabled: z.optional(z.boolean()),
  /** One after each turn that the runner reports. */
  on_turn: z.optional(z.boolean()),
  /** What an untracked secret does: it is left out, or no checkpoint is taken while it is there. */
  on_denylisted: z.optional(z.enum(['exclude', 'skip'])),
  /** Globs of file names, in addition to our own. */
  denylist: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** Bytes. Larger files that git does not hold yet are left out. */
  max_file_size: z.optional(z.number().check(z.minimum(0))),
  /** How long nothing must change before one is taken. */
  quiet_seconds: z.optional(seconds),
  /** No two are closer together. */
  least_seconds: z.optional(seconds),
  /** Where files cannot be watched, they are looked at this often. */
  interval_seconds: z.optional(seconds),
  /** Younger ones are all kept. */
  keep_all_minutes: z.optional(minutes),
  /** Then one in so many minutes is kept, */
  keep_every_minutes: z.optional(minutes),
  /** until it is this old; */
  keep_every_for_minutes: z.optional(minutes),
  /** then one in so many minutes. */
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

/** `said` is the section of the configuration; undefined where there is none. */
export const checkpointSettings = (said: CheckpointConfig | undefined): CheckpointSettings =>
  Object.assign({}, CHECKPOINT_DEFAULTS, said)
