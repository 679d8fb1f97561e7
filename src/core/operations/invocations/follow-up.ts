// A follow-up goes on with the session of an earlier invocation, but in a sandbox of its own. The session still speaks
// of the earlier sandbox: if it were not told, the agent would look for its work in the directory of another run.

import type { StartRequest } from '../../facade/agency.ts'
import { AgencyError } from '../../model/errors.ts'
import { type InvocationRecord, isActive } from '../../model/invocation.ts'
import { showPath } from '../../model/sandbox-path.ts'
import type { RepoPaths } from '../../store/paths.ts'
import type { Repository } from '../../store/repository.ts'
import { findInvocation } from './known-invocations.ts'
import { reconcile } from './reconcile.ts'

/** A follow-up or fork uses the runner of the earlier invocation, whichever is configured. */
export function chooseRunnerName(
  paths: RepoPaths,
  request: Pick<StartRequest, 'runner' | 'resume' | 'from'>,
  configured: string,
): string {
  if (request.runner !== undefined) return request.runner
  const earlier = request.resume ?? request.from?.invocation
  return earlier === undefined ? configured : findInvocation(paths, earlier).runner
}

/** An invocation whose session can be continued. */
export interface Resumed {
  readonly record: InvocationRecord
  readonly session_id: string
  /** Where the session believes it is: the path of its sandbox inside the environment that it ran in. */
  readonly sandbox_path: string
}

/** Throws E_INVOCATION_RUNNING, E_USAGE and E_RUNNER_MODE. A new session is no substitute: it would know nothing. */
export async function findResumed(repository: Repository, typed: string, runner: string): Promise<Resumed> {
  const record = await reconcile(repository, findInvocation(repository.paths, typed))
  const { invocation_id: id } = record
  if (record.runner !== runner) {
    throw new AgencyError(
      'E_USAGE',
      `${id} is a session of ${record.runner}; ${runner} cannot go on with it`,
      {
        hint: `use: --runner ${record.runner}`,
      },
    )
  }
  if (isActive(record)) {
    throw new AgencyError('E_INVOCATION_RUNNING', `${id} is still at work in the session`, {
      hint: `agency agent stop ${id}`,
    })
  }
  if (record.runner_session_id === null) {
    throw new AgencyError('E_RUNNER_MODE', `${id} (${runner}) has no session that is known`, {
      hint: 'start without --resume',
    })
  }
  const { inside } = repository.effects.environments.of(record.environment)
  return { record, session_id: record.runner_session_id, sandbox_path: inside(showPath(record.sandbox_path)) }
}

interface FollowUp {
  readonly from: string
  readonly to: string
  /** The new sandbox begins with the state of an earlier one, not with the branch. */
  readonly forked: boolean
}

/**
 * What the runner is given. If a person resumes a headed session without a prompt, nothing is added: they will speak
 * themselves.
 */
export function followUpPrompt(prompt: string | null, { from, to, forked }: FollowUp): string | null {
  if (prompt === null) return null
  const what = forked ? 'a copy of the state that you are to go on from' : 'a fresh checkout'
  const rest = forked
    ? 'what is not here is not part of that state.'
    : 'what you changed there is here only if it was landed.'
  return `Your working directory is now ${to}, ${what}: the paths in ${from} from before are gone, and ${rest}\n\n${prompt}`
}
