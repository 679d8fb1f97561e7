// Looks at integration worktrees: is each there, marked and readable, and has only the person moved its branch?

import { hasMarker, writeMarker } from '../../changesets/worktree/proof/marker.ts'
import { listNames, pathExists } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import type { ObjectId } from '../../model/ids.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { checkBranchNotMoved } from '../integration/check-branch.ts'
import { type Check, fine, fixable, problem } from './check.ts'
import { listHalfMade } from './look-at-half-made.ts'

export async function lookAtWorktrees(repository: Repository): Promise<readonly Check[]> {
  const half = await listHalfMade(repository)
  const ids = listNames(repository.paths.worktreesDir).filter((id) => !half.has(id))
  const checks = (await Promise.all(ids.map((id) => lookAtWorktree(repository, id)))).flat()
  return checks.length > 0 ? checks : [fine('worktrees', `${ids.length} records, all readable`)]
}

async function lookAtWorktree(repository: Repository, id: string): Promise<readonly Check[]> {
  const at = repository.paths.worktree(id)
  try {
    const record = readWorktree(repository.paths, id)
    return record.state === 'archived' ? [] : await lookAtPresent(repository, record)
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return [problem(`worktree ${id}`, error.message, `mend or remove ${at.dir} by hand`)]
  }
}

async function lookAtPresent(repository: Repository, record: WorktreeRecord): Promise<readonly Check[]> {
  const subject = `worktree ${record.name}`
  if (!pathExists(record.tree_path)) {
    return [
      fixable(
        {
          subject,
          message: `its directory is gone: ${record.tree_path}`,
          remedy: 'archive it; its branch stays',
        },
        () => archiveRecord(repository, record),
      ),
    ]
  }
  const marked = hasMarker(record.tree_path, INTEGRATION_MARKER)
  return [...(marked ? [] : [missingMarker(subject, record)]), ...(await lookAtBranch(repository, record))]
}

function missingMarker(subject: string, record: WorktreeRecord): Check {
  return fixable(
    { subject, message: 'it has lost its marker', remedy: `write ${INTEGRATION_MARKER} again` },
    async () => {
      return writeMarker(record.tree_path, INTEGRATION_MARKER)
        ? `marked ${record.name} again`
        : `left ${record.name} unmarked: its .agency is no directory`
    },
  )
}

async function lookAtBranch(repository: Repository, record: WorktreeRecord): Promise<readonly Check[]> {
  try {
    await checkBranchNotMoved(repository, record, await tipOf(repository, record))
    return []
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return [
      fixable(
        {
          subject: `worktree ${record.name}`,
          message: error.message,
          remedy: 'accept the branch as it is now',
        },
        () => acceptBranch(repository, record),
      ),
    ]
  }
}

async function acceptBranch(repository: Repository, record: WorktreeRecord): Promise<string> {
  const tip = await repository.git.store.object([
    'rev-parse',
    '--verify',
    `refs/heads/${record.branch}^{commit}`,
  ])
  await repository.locked(() => updateWorktree(repository.paths, record.worktree_id, { known_head: tip }))
  return `accepted ${record.branch} at ${tip.slice(0, 12)}`
}

const tipOf = ({ git }: Repository, { branch }: WorktreeRecord): Promise<ObjectId> =>
  git.store.object(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`])

async function archiveRecord(repository: Repository, record: WorktreeRecord): Promise<string> {
  await repository.locked(() => updateWorktree(repository.paths, record.worktree_id, { state: 'archived' }))
  return `archived ${record.name}`
}
