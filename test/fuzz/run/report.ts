// What a run tells: a case with its whole plan and its story, and the summary.

import type { Plan } from '../plan/plan.ts'
import { groupFindings } from './finding.ts'
import type { CaseResult } from './run-case.ts'
import type { Totals } from './totals.ts'

/** Everything that is needed to see what happened, and the command that repeats it. */
export function formatCase(plan: Plan, { seed, findings, story, dir }: CaseResult): string {
  const { ingredients, ...shape } = plan.world
  return [
    '',
    `case ${seed} (npm run test:fuzz -- --case ${seed} --keep) in ${dir}`,
    `  ${JSON.stringify(shape)}`,
    ...ingredients.map(({ name, script }) => `  with ${name}: ${script}`),
    ...plan.steps.flatMap((step, at) =>
      'deeds' in step ? step.deeds.map(({ name, script }) => `  ${at} ${name}: ${script}`) : [],
    ),
    'what happened:',
    ...story,
    `${findings.length} findings: ${findings.map(({ signature }) => `\n  - ${signature}`).join('')}`,
  ].join('\n')
}

export const formatCounts = ({ cases, verbs, kills, faults, findings }: Totals): string =>
  `${cases} cases, ${verbs} verbs, ${kills} kills, ${faults} other faults: ${groupFindings(findings).length} kinds of findings`

export function formatSummary(totals: Totals): string {
  const groups = groupFindings(totals.findings)
  return [
    formatCounts(totals),
    ...groups.map(
      ({ signature, count, seeds, example }) =>
        `${String(count).padStart(4)}  ${signature}\n      case ${seeds.slice(0, 4).join(', ')}: ${example.slice(0, 200).replaceAll('\n', ' ')}`,
    ),
    ...totals.broken.map((text) => `could not be run: ${text.split('\n')[0]}`),
  ].join('\n')
}
