// What a box is told of the run that it is to hold. Places are derived from the invocation's id, because an agent can
// write its record.

import { ownRepository } from '../../../core/changesets/copy/own-place.ts'
import { objectStores } from '../../../core/doors/git/object-stores.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationRecord } from '../../../core/model/invocation.ts'
import { repoRecordSchema } from '../../../core/model/repo.ts'
import type { HostLaunch } from '../../../core/model/runner.ts'
import type { RepoPaths } from '../../../core/store/paths.ts'
import { readRecord } from '../../../core/store/record-file.ts'
import type { BoxPlace } from '../../environments/box.ts'

interface Placed {
  readonly paths: RepoPaths
  readonly record: InvocationRecord
  /** Real, outside. */
  readonly sandbox_path: string
}

export function boxPlaceOf(launch: HostLaunch, { paths, record, sandbox_path }: Placed): BoxPlace {
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
    needs: launch.needs ?? { variables: [], files: [] },
    planned: Object.keys(launch.plan.env),
    env: process.env,
    data_dir: launch.data_dir,
  }
}
