// Looks at integration worktrees: is each there, marked and readable, and has only the person moved its branch?

import { join } from 'node:path'
import { isRealDirectory } from '../../changesets/presence.ts'
import { inTheWayOfMarker, writeMarker } from '../../changesets/worktree/proof/marker.ts'
import { isLinkedTo } from '../../doors/git/linked-worktrees.ts'
import { readHeadRef, readTip } from '../../doors/git/read-tips.ts'
import { listNames, lstatIfThere } from '../../doors/system/files.ts'
import { AgencyError } from '../../model/errors.ts'
import { INTEGRATION_MARKER } from '../../model/markers.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree, updateWorktree } from '../../store/worktrees.ts'
import { checkBranchNotMoved } from '../integration/check-branch.ts'
import { branchRef } from '../integration/check-integration-tree.ts'
import { type Check, fine, fixable, problem } from './check.ts'
import { listHalfMade } from './look-at-half-made.ts'
import { lookAtLostMark } from './look-at-mark.ts'

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
  const place = placeOf(record)
  switch (place) {
    case 'gone':
      return [gone(repository, record, `its directory is gone: ${record.tree_path}`)]
    case 'taken':
      return [
        gone(repository, record, `something else lies in the place of its directory: ${record.tree_path}`),
      ]
    case 'foreign':
      return [foreignTree(record), ...(await lookAtBranch(repository, record))]
    case 'there':
      return [...lookAtMark(record), ...(await lookAtBranch(repository, record))]
  }
}

/**
 * What lies where the worktree's directory has to be: nothing; a link, a file or whatever is behind a link, which is
 * somebody else's; another directory, as its `.git` shows; or the worktree.
 */
function placeOf({ tree_path, git_dir }: WorktreeRecord): 'gone' | 'taken' | 'foreign' | 'there' {
  if (lstatIfThere(tree_path) === null) return 'gone'
  if (!isRealDirectory(tree_path)) return 'taken'
  return isLinkedTo(tree_path, git_dir) ? 'there' : 'foreign'
}

/** Nothing that lies there is touched. */
const gone = (repository: Repository, record: WorktreeRecord, message: string): Check =>
  fixable({ subject: `worktree ${record.name}`, message, remedy: 'archive it; its branch stays' }, () =>
    archiveRecord(repository, record),
  )

const foreignTree = ({ name, tree_path, git_dir }: WorktreeRecord): Check =>
  problem(
    `worktree ${name}`,
    `its directory does not lead to its git directory: ${tree_path}`,
    `put its own directory back, or write 'gitdir: ${git_dir}' into its .git`,
  )

function lookAtMark(record: WorktreeRecord): Check[] {
  const { name, tree_path } = record
  if (lstatIfThere(join(tree_path, INTEGRATION_MARKER))?.isFile() === true) return []
  return [
    lookAtLostMark({
      subject: `worktree ${name}`,
      tree: name,
      message: 'it has lost its marker',
      marker: INTEGRATION_MARKER,
      inTheWay: inTheWayOfMarker(tree_path, INTEGRATION_MARKER),
      mark: () => placeOf(record) === 'there' && writeMarker(tree_path, INTEGRATION_MARKER),
    }),
  ]
}

async function lookAtBranch(repository: Repository, record: WorktreeRecord): Promise<readonly Check[]> {
  const tip = await readTip(repository.git.store, branchRef(record))
  if (tip === null) return [await missingBranch(repository, record)]
  try {
    await checkBranchNotMoved(repository, record, tip)
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

/** Which name it shall have only the person knows: they may have given it another one, or deleted it. */
async function missingBranch({ git }: Repository, record: WorktreeRecord): Promise<Check> {
  const { name, branch, tree_path, known_head } = record
  const ref = placeOf(record) === 'there' ? await readHeadRef(git.tree(record)) : null
  const other =
    ref !== null && (await readTip(git.store, ref)) !== null ? ref.replace('refs/heads/', '') : null
  return problem(
    `worktree ${name}`,
    `its branch ${branch} is gone${other === null ? '' : `; its tree is on ${other}`}`,
    other === null
      ? `make it again where it was: git branch '${branch}' ${known_head}`
      : `give that its name back: git -C '${tree_path}' branch -m '${other}' '${branch}'`,
  )
}

async function acceptBranch(repository: Repository, record: WorktreeRecord): Promise<string> {
  const tip = await readTip(repository.git.store, branchRef(record))
  if (tip === null) return `left ${record.name} as it is: its branch ${record.branch} is gone`
  await repository.locked(() => updateWorktree(repository.paths, record.worktree_id, { known_head: tip }))
  return `accepted ${record.branch} at ${tip.slice(0, 12)}`
}

async function archiveRecord(repository: Repository, record: WorktreeRecord): Promise<string> {
  return repository.locked(async () => {
    const place = placeOf(record)
    if (place !== 'gone' && place !== 'taken') return `left ${record.name} as it is: its directory is back`
    await updateWorktree(repository.paths, record.worktree_id, { state: 'archived' })
    return `archived ${record.name}`
  })
}
