// What a landing would come to. It is computed exactly as land computes it, but leaves nothing behind: whatever git has
// to write goes to an object store that is thrown away.

import { openChangeset } from '../../changesets/open-changeset.ts'
import { readTreeChanges } from '../../doors/git/compare-trees.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { isRefusal, type LandingForecast, type LandingPlan, type Refusal } from '../../model/landing.ts'
import type { WorktreeRecord } from '../../model/worktree.ts'
import type { Repository } from '../../store/repository.ts'
import { readWorktree } from '../../store/worktrees.ts'
import { checkBranchNotMoved } from '../integration/check-branch.ts'
import { checkIntegrationTree } from '../integration/check-integration-tree.ts'
import { findObstacles } from '../integration/find-obstacles.ts'
import { withDrafts } from '../sandboxes/drafts.ts'
import { checkSubmodules } from './bring-submodules.ts'
import { planLanding } from './plan-landing.ts'

/**
 * Computed as if the uncommitted work were to land too. Throws where it cannot be known: E_INVOCATION_BROKEN,
 * E_WORKTREE_NOT_FOUND, E_GIT_FAILED.
 */
export async function forecastLanding(
  repository: Repository,
  record: InvocationRecord,
): Promise<LandingForecast> {
  const worktree = readWorktree(repository.paths, record.integration_worktree_id)
  return await withDrafts(repository, async (drafting) => {
    try {
      return await forecast(drafting, record, worktree)
    } catch (error) {
      if (error instanceof AgencyError && REFUSALS.has(error.code)) {
        return { kind: 'refused', code: error.code, message: error.message }
      }
      throw error
    }
  })
}

/** Refusals that land itself would tell the person, who can do something about them. */
const REFUSALS: ReadonlySet<string> = new Set([
  'E_INTEGRATION_BUSY',
  'E_NOT_INTEGRATION_TREE',
  'E_BRANCH_MOVED',
  'E_WOULD_OVERWRITE',
  'E_SUBMODULE_MISSING',
])

async function forecast(
  repository: Repository,
  record: InvocationRecord,
  worktree: WorktreeRecord,
): Promise<LandingForecast> {
  const head = await checkIntegrationTree(repository, worktree)
  await checkBranchNotMoved(repository, worktree, head)
  const capture = await openChangeset(repository, record).capture()
  const asked = { record, worktree, head, tip: capture.head, capture, options: { apply: capture.dirty } }
  const plan = await planLanding(repository, asked)
  if (isRefusal(plan)) return foretell(plan)
  const changes = await readTreeChanges(repository, plan.from, plan.to)
  const obstacles = findObstacles(worktree.tree_path, changes)
  if (obstacles.length === 0) {
    await checkSubmodules(repository, { record, worktree, to: plan.to, changes })
    return clean(plan)
  }
  const message = `that would overwrite your own files: ${obstacles.join(', ')}`
  return { kind: 'refused', code: 'E_WOULD_OVERWRITE', message }
}

const clean = ({ manner, landed }: LandingPlan): LandingForecast => ({
  kind: 'clean',
  manner,
  commits: landed.length,
})

function foretell({ refused, message, details }: Refusal): LandingForecast {
  if (refused === 'E_NOTHING_TO_LAND') return { kind: 'nothing' }
  const files = details['files']
  if (refused === 'E_LAND_CONFLICT' && Array.isArray(files))
    return { kind: 'conflict', files: files.map(String) }
  return { kind: 'refused', code: refused, message }
}
