// doctor: looks at everything that can be wrong, says in words what is, and with --fix mends what can be mended without
// losing anything.

import type { Diagnosis } from '../../facade/agency.ts'
import type { Repository } from '../../store/repository.ts'
import { reconcileAll } from '../invocations/reconcile.ts'
import type { Check } from './check.ts'
import { lookAtConfig, trustConfig } from './look-at-config.ts'
import { lookAtInvocations } from './look-at-invocations.ts'
import { lookAtJournals } from './look-at-journals.ts'
import { lookAtLeftovers } from './look-at-leftovers.ts'
import { lookAtTools } from './look-at-tools.ts'
import { lookAtWorktrees } from './look-at-worktrees.ts'

const LOOKS = [lookAtTools, lookAtJournals, lookAtLeftovers, lookAtConfig, lookAtWorktrees, lookAtInvocations]

export interface DiagnoseOptions {
  readonly fix?: boolean
  readonly trust_config?: boolean
}

export async function diagnose(repository: Repository, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  await reconcileAll(repository)
  const checks: Check[] = []
  for (const look of LOOKS) checks.push(...(await look(repository)))
  const fixed: string[] = []
  if (options.trust_config === true) fixed.push(await trustConfig(repository))
  for (const { fix } of options.fix === true ? checks : []) if (fix !== undefined) fixed.push(await fix())
  return { findings: checks.map((check) => check.finding), fixed }
}
