// doctor: looks at everything that can be wrong, says in words what is, and with --fix mends what can be mended without
// losing anything.

import type { Diagnosis } from '../../facade/diagnosing.ts'
import { AgencyError } from '../../model/errors.ts'
import type { Repository } from '../../store/repository.ts'
import { reconcileAll } from '../invocations/reconcile.ts'
import { type Check, problem } from './check.ts'
import { lookAtConfig, trustConfig } from './look-at-config.ts'
import { lookAtHalfMade } from './look-at-half-made.ts'
import { lookAtInvocations } from './look-at-invocations.ts'
import { lookAtJournals } from './look-at-journals.ts'
import { lookAtLeftTrees } from './look-at-left-trees.ts'
import { lookAtLeftovers } from './look-at-leftovers.ts'
import { lookAtLinked } from './look-at-linked.ts'
import { lookAtOddFiles } from './look-at-odd-files.ts'
import { lookAtRefs } from './look-at-refs.ts'
import { lookAtTools } from './look-at-tools.ts'
import { lookAtWorktrees } from './look-at-worktrees.ts'

/** In the order in which they are mended: nothing else can be while a lock or a ref is in the way. */
const LOOKS = [
  lookAtOddFiles,
  lookAtLinked,
  lookAtTools,
  lookAtRefs,
  lookAtJournals,
  lookAtHalfMade,
  lookAtLeftTrees,
  lookAtLeftovers,
  lookAtConfig,
  lookAtWorktrees,
  lookAtInvocations,
]

export interface DiagnoseOptions {
  readonly fix?: boolean
  readonly trust_config?: boolean
}

export async function diagnose(repository: Repository, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const checks = await lookAtAll(repository)
  const fixed: string[] = []
  if (options.trust_config === true) fixed.push(await trustConfig(repository))
  if (options.fix === true) for (const check of checks) fixed.push(...(await mend(check)))
  // What was mended is no finding any more, and what could not be mended still is.
  const now = fixed.length === 0 ? checks : await lookAtAll(repository)
  return { findings: now.map((check) => check.finding), fixed }
}

async function lookAtAll(repository: Repository): Promise<Check[]> {
  await reconcileAll(repository)
  const checks: Check[] = []
  for (const look of LOOKS) checks.push(...(await look(repository).catch(nameObstacle)))
  return checks
}

/** What one look cannot see for something that lies in the way must not hide what the others see. */
function nameObstacle(error: unknown): readonly Check[] {
  const odd =
    error instanceof AgencyError && (error.code === 'E_FILE_UNREADABLE' || error.code === 'E_GIT_STUCK')
  if (!odd) throw error
  return [problem('files', error.message, error.hint)]
}

/** What cannot be mended now must not keep the rest from it. */
async function mend({ finding, fix }: Check): Promise<string[]> {
  if (fix === undefined) return []
  try {
    return [await fix()]
  } catch (error) {
    if (!(error instanceof AgencyError)) throw error
    return [`left ${finding.subject} as it is: ${error.message}`]
  }
}
