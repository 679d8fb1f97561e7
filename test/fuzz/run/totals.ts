// What all cases of a run come to.

import type { Finding } from './finding.ts'
import type { CaseResult } from './run-case.ts'

export interface Totals {
  cases: number
  verbs: number
  kills: number
  faults: number
  readonly findings: Finding[]
  /** Cases that could not be run, which says something about the fuzzer. */
  readonly broken: string[]
}

export const emptyTotals = (): Totals => ({
  cases: 0,
  verbs: 0,
  kills: 0,
  faults: 0,
  findings: [],
  broken: [],
})

/** Returns those findings that no case had before. */
export function addResult(totals: Totals, { verbs, kills, faults, findings }: CaseResult): Finding[] {
  const fresh = findings.filter(
    ({ signature }) => !totals.findings.some((one) => one.signature === signature),
  )
  totals.cases += 1
  totals.verbs += verbs
  totals.kills += kills
  totals.faults += faults
  totals.findings.push(...findings)
  return fresh
}
