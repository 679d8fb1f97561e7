// What a box is told of the run that it is to hold. Places are derived from the invocation's id, because an agent can
// write its record.

import { ownRepository } from '../../../core/changesets/copy/own-place.ts'
import { objectStores } from '../../../core/doors/git/object-stores.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationId } from '../../../core/model/ids.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import { repoRecordSchema } from '../../../core/model/repo.ts'
import type { HostLaunch } from '../../../core/model/runner.ts'
import { showPath } from '../../../core/model/sandbox-path.ts'
import { appendEvent } from '../../../core/store/events.ts'
import type { RepoPaths } from '../../../core/store/paths.ts'
import { readRecord } from '../../../core/store/record-file.ts'
import { type BoxPlace, NO_NEEDS } from '../../environments/box.ts'

interface Placed {
  readonly paths: RepoPaths
  readonly record: InvocationRecord
  /** Real, outside. */
  readonly sandbox_path: string
  /** The host's own. */
  readonly socket_path: string
}

export function boxPlaceOf(
  launch: HostLaunch,
  { paths, record, sandbox_path, socket_path }: Placed,
): BoxPlace {
  const { invocation_id, environment } = record
  const repository = readRecord(paths.record, repoRecordSchema)
  if (repository === null) throw new AgencyError('E_HOST_FAILED', `there is no ${paths.record}`)
  return {
    invocation_id,
    environment,
    sandbox_path,
    own_repository: environment.changeset === 'worktree' ? null : ownRepository(sandbox_path).dir,
    object_stores: objectStores(repository.git_common_dir),
    prompt_path: paths.invocation(invocation_id).prompt,
    needs: launch.needs ?? NO_NEEDS,
    resumed_path: launch.resumes === undefined ? null : showPath(paths.invocation(launch.resumes).tree),
    socket_path,
    onDenied: reportDenials(paths, invocation_id),
    executable: launch.plan.argv[0],
    planned: Object.keys(launch.plan.env),
    env: process.env,
    data_dir: launch.data_dir,
  }
}

/** Milliseconds for which the same refusal is not told again: a program may try without end. */
const TOLD_FOR = 60_000

function reportDenials(paths: RepoPaths, id: InvocationId): BoxPlace['onDenied'] {
  const told = new Map<string, number>()
  return ({ host, port, why }) => {
    const where = `${host}:${port}`
    if (Date.now() - (told.get(where) ?? 0) < TOLD_FOR) return
    told.set(where, Date.now())
    try {
      appendEvent(paths, id, {
        kind: 'output_denied',
        message: `could not reach ${where}: ${why}`,
        host,
        port,
      })
    } catch (error) {
      // A full disk must not open or close the way out.
      console.error(error)
    }
  }
}
