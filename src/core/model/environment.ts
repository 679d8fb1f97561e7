// Where a runner runs and how confined: five primitives, each chosen by itself, and what the box gives and limits. The
// record has all of it as it was when the run began.

import * as z from 'zod/mini'

const HOST_RULE = /^(\*|(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$/i
const hostRuleSchema = z
  .string()
  .check(z.regex(HOST_RULE, 'expected a host such as api.example.com, *.example.com or example.com:443'))

const MOUNT = /^[^:]+(:(ro|rw))?$/
const mountSchema = z.string().check(z.regex(MOUNT, 'expected a path such as ~/.cache/npm or ~/data:rw'))

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
const variableSchema = z.string().check(z.regex(VARIABLE, 'expected the name of a variable'))

const megabytes = z.int().check(z.minimum(16))

/** What a box lets in and out and what it limits. Each limit is enforced, or nothing is started. */
const EXTRAS = {
  /** Hosts that `restricted` lets through: `host`, `*.host`, `host:port`. Port 443 where none is named. */
  allow: z.optional(z.array(hostRuleSchema)),
  /** Megabytes. */
  memory: z.optional(megabytes),
  /** How many may be busy at a time. */
  cpus: z.optional(z.number().check(z.minimum(0.1))),
  /** Processes and threads. */
  pids: z.optional(z.int().check(z.minimum(8))),
  /** Megabytes that the sandbox may grow by. */
  disk: z.optional(megabytes),
  /** Seconds. */
  wall_time: z.optional(z.number().check(z.minimum(1))),
  /** US dollars, as far as the runner says what it costs. */
  max_cost: z.optional(z.number().check(z.minimum(0))),
  /** Directories of this machine, read-only unless `:rw` is added. */
  mounts: z.optional(z.array(mountSchema)),
  /** Names of variables that are passed on, beside those that its runner needs. */
  variables: z.optional(z.array(variableSchema)),
  /** Variables whose values are given as files. */
  secrets: z.optional(z.array(variableSchema)),
  /** Patterns of ignored files of the worktree that are copied into the sandbox, such as `.env*`. */
  env_files: z.optional(z.array(z.string())),
  /** Ignored directories of the worktree that are shared read-only, such as `node_modules`. */
  link: z.optional(z.array(z.string())),
  /** A shell command that is run in the sandbox before the runner. */
  setup: z.optional(z.string()),
  /** The same after it. */
  teardown: z.optional(z.string()),
} as const

export type EnvironmentExtra = keyof typeof EXTRAS
export const ENVIRONMENT_EXTRAS = Object.keys(EXTRAS) as readonly EnvironmentExtra[]

export const CHANGESET_CHOICES = ['worktree', 'overlay', 'copy'] as const
export const PLATFORM_CHOICES = ['local', 'kubernetes'] as const
export const ISOLATION_CHOICES = ['none', 'os', 'container', 'vm'] as const
export const OUTPUTS_CHOICES = ['open', 'restricted', 'none'] as const

/** What a row of `[environments.NAME]`, or a start's own options, say of an environment. Strict, as people write it. */
export const environmentChangesSchema = z.strictObject({
  changeset: z.optional(z.enum(CHANGESET_CHOICES)),
  platform: z.optional(z.enum(PLATFORM_CHOICES)),
  isolation: z.optional(z.enum(ISOLATION_CHOICES)),
  outputs: z.optional(z.enum(OUTPUTS_CHOICES)),
  software: z.optional(z.string()),
  ...EXTRAS,
})
export type EnvironmentChanges = z.infer<typeof environmentChangesSchema>

/** A later version may know other values: those are refused where they are used, not where they are read. */
export const environmentSchema = z.looseObject({
  name: z.string(),
  changeset: z.string(),
  platform: z.string(),
  isolation: z.string(),
  outputs: z.string(),
  software: z.string(),
  ...EXTRAS,
})
export type Environment = z.infer<typeof environmentSchema>

export const LOCAL_ENVIRONMENT: Environment = {
  name: 'local',
  changeset: 'worktree',
  platform: 'local',
  isolation: 'none',
  outputs: 'open',
  software: 'host',
}

export const isBoxed = ({ isolation }: Pick<Environment, 'isolation'>): boolean => isolation !== 'none'

/** Fields that are not named stay as they are. */
export const changeEnvironment = (environment: Environment, changes: EnvironmentChanges): Environment => ({
  ...environment,
  ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
})

/**
 * Whoever may write the person's `.git` may plant hooks and move branches there, so what is in a box gets a repository
 * of its own.
 */
export const settleEnvironment = (environment: Environment): Environment =>
  isBoxed(environment) && environment.changeset === 'worktree'
    ? { ...environment, changeset: 'copy' }
    : environment

const LETS_IN = ['mounts', 'secrets', 'variables', 'env_files', 'link'] as const

/** Whether an environment confines at least as much as another one: in each primitive and limit, and by what it lets in and out. */
export function confinesAtLeast(one: Environment, other: Environment): boolean {
  const atLeast = (order: readonly string[], key: 'isolation' | 'outputs'): boolean =>
    order.indexOf(one[key]) >= order.indexOf(other[key])
  const limits = (['memory', 'cpus', 'pids', 'disk', 'wall_time', 'max_cost'] as const).every(
    (key) => (one[key] ?? Number.POSITIVE_INFINITY) <= (other[key] ?? Number.POSITIVE_INFINITY),
  )
  const noMore = (key: 'allow' | (typeof LETS_IN)[number]): boolean =>
    (one[key] ?? []).every((value) => other[key]?.includes(value))
  return (
    limits &&
    atLeast(ISOLATION_CHOICES, 'isolation') &&
    atLeast(OUTPUTS_CHOICES, 'outputs') &&
    // Without a box, or with an open network, all of it was to be had anyway.
    (!isBoxed(other) || LETS_IN.every(noMore)) &&
    (other.outputs === 'open' || noMore('allow'))
  )
}

const WORDS: Readonly<Record<string, string>> = {
  none: 'no box: all that you may do, it may do',
  os: 'a box of the operating system',
  container: 'a container',
  vm: 'a virtual machine',
}

/** What an environment means, in words: `a box of the operating system; no network; at most 4096 MB of memory`. */
export function describeEnvironment(environment: Environment): string {
  const { isolation, outputs, allow = [] } = environment
  const network: Readonly<Record<string, string>> = {
    open: 'the whole network',
    none: 'no network',
    restricted: allow.length === 0 ? "its own service's hosts only" : `only ${allow.join(', ')}`,
  }
  const limits = [
    limit(environment.memory, 'MB of memory'),
    limit(environment.cpus, 'CPUs'),
    limit(environment.pids, 'processes'),
    limit(environment.disk, 'MB of disk'),
    limit(environment.wall_time, 'seconds'),
    environment.max_cost === undefined ? [] : [`at most $${environment.max_cost}`],
  ].flat()
  return [WORDS[isolation] ?? isolation, network[outputs] ?? outputs, ...limits].join('; ')
}

const limit = (value: number | undefined, of: string): string[] =>
  value === undefined ? [] : [`at most ${value} ${of}`]
