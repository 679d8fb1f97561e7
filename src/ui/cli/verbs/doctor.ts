// agency doctor: findings in a readable order. Problems come last, where the eye is.

import type { Diagnosis, Finding } from '../../../core/facade/diagnosing.ts'
import { EXIT } from '../../../core/model/exit-status.ts'
import { count } from '../../text/amounts.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import type { Call, Result } from '../commands/command.ts'

export async function runDoctor(call: Call): Promise<Result> {
  const diagnosis = await (await call.agency()).diagnose({
    fix: call.flag('fix'),
    trust_config: call.flag('trust-config'),
  })
  const problems = diagnosis.findings.filter(({ level }) => level === 'problem')
  return {
    data: diagnosis,
    status: problems.length === 0 ? EXIT.ok : EXIT.unavailable,
    view: () => viewDiagnosis(diagnosis),
  }
}

const ORDER = ['ok', 'note', 'problem'] as const

const SIGNS: Readonly<Record<Finding['level'], Span>> = {
  ok: span('ok       ', 'ready'),
  note: span('note     ', 'needs_you'),
  problem: span('PROBLEM  ', 'failed'),
}

export function viewDiagnosis({ findings, fixed }: Diagnosis): Line[] {
  const width = findings.reduce((most, { subject }) => Math.max(most, subject.length), 0)
  const sorted = ORDER.flatMap((level) => findings.filter((finding) => finding.level === level))
  return [
    ...fixed.map((sentence): Line => [span('fixed    ', 'ready'), sentence]),
    ...sorted.flatMap((finding) => viewFinding(finding, width)),
    '',
    summarize(findings),
  ]
}

function viewFinding({ level, subject, message, remedy }: Finding, width: number): Line[] {
  return [
    [SIGNS[level], span(subject.padEnd(width), 'strong'), `  ${message}`],
    ...(remedy === null ? [] : [[' '.repeat(9 + width + 2), span(`-> ${remedy}`, 'accent')]]),
  ]
}

function summarize(findings: readonly Finding[]): Line {
  const problems = findings.filter(({ level }) => level === 'problem')
  if (problems.length === 0) return span('All is well.', 'ready')
  const fixable = problems.filter((finding) => finding.fixable).length
  const rest = fixable === 0 ? '' : `; agency doctor --fix mends ${fixable}`
  return span(`${count(problems.length, 'problem')}${rest}`, 'failed')
}
