// Fills in whatever a person's request to start leaves open.

import type { Effects } from '../../doors/effects.ts'
import type { StartRequest } from '../../facade/agency.ts'
import { type CheckpointSettings, checkpointSettings } from '../../model/checkpoint-settings.ts'
import { CONFIG_DEFAULTS, type Config } from '../../model/config.ts'
import {
  changeEnvironment,
  confinesAtLeast,
  type Environment,
  LOCAL_ENVIRONMENT,
  settleEnvironment,
} from '../../model/environment.ts'
import type { EnvironmentCatalog } from '../../model/environment-catalog.ts'
import { AgencyError } from '../../model/errors.ts'
import type { RepoPaths } from '../../store/paths.ts'
import type { Repository } from '../../store/repository.ts'
import { chooseRunnerName } from './follow-up.ts'
import { findInvocation } from './known-invocations.ts'

export interface ResolvedStart extends Omit<StartRequest, 'environment' | 'environment_changes'> {
  readonly worktree: string
  readonly runner: string
  readonly environment: Environment
  readonly columns: number
  readonly rows: number
  /**
   * Settings for automatic checkpoints (without them, none are taken) and for the checkpoint that a fork takes first.
   */
  readonly checkpoint?: CheckpointSettings
}

const COLUMNS = 120
const ROWS = 40

/** Throws E_USAGE, E_INVOCATION_NOT_FOUND, E_ENVIRONMENT_UNKNOWN. */
export const resolveStart = (
  { paths, effects }: Repository,
  request: StartRequest,
  config: Config,
): ResolvedStart => ({
  ...withoutChanges(request),
  worktree: chooseWorktreeName(paths, request),
  runner: chooseRunnerName(paths, request, config.default_runner ?? CONFIG_DEFAULTS.default_runner),
  columns: request.columns ?? COLUMNS,
  rows: request.rows ?? ROWS,
  environment: chooseEnvironment(effects, request, config),
  checkpoint: checkpointSettings(config.checkpoint),
})

function withoutChanges({ environment_changes: _, ...request }: StartRequest): StartRequest {
  return request
}

function chooseEnvironment({ environments }: Effects, request: StartRequest, config: Config): Environment {
  const { environment: named, environment_changes: changes = {} } = request
  const chosen = named === undefined ? defaultEnvironment(environments, config) : environments.get(named)
  return settleEnvironment(changeEnvironment(chosen, changes))
}

/** The person's, or what the repository asks for where that confines at least as much. */
export function defaultEnvironment(environments: EnvironmentCatalog, config: Config): Environment {
  const own = environments.get(config.default_environment ?? LOCAL_ENVIRONMENT.name)
  const asked = config.repository_environment
  const theirs = asked === undefined ? own : environments.get(asked)
  return confinesAtLeast(theirs, own) ? theirs : own
}

/** A fork works for the worktree of its original, unless another one is named. */
function chooseWorktreeName(paths: RepoPaths, { worktree, from }: StartRequest): string {
  if (worktree !== undefined) return worktree
  if (from !== undefined) return findInvocation(paths, from.invocation).integration_worktree_id
  throw new AgencyError('E_USAGE', 'a worktree is missing', {
    hint: 'add --worktree NAME, or --from ID for that of another agent; agency worktree ls lists them',
  })
}
