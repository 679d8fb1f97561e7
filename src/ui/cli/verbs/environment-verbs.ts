// agency env ls, show and check.

import type { EnvironmentCheck, EnvironmentView, ProofLine } from '../../../core/model/environment-catalog.ts'
import { EXIT } from '../../../core/model/exit-status.ts'
import { type Line, type Span, span } from '../../text/line.ts'
import { type Call, operand, type Result } from '../commands/command.ts'
import { viewFields } from '../views/views.ts'
import { readEnvironmentChanges } from './environment-changes.ts'

export async function listEnvironments(call: Call): Promise<Result> {
  const environments = await (await call.agency()).environments()
  const width = Math.max(...environments.map(({ environment }) => environment.name.length))
  return {
    data: { environments },
    view: () => environments.flatMap((one) => viewRow(one, width)),
  }
}

function viewRow({ environment, words, refusals }: EnvironmentView, width: number): Line[] {
  const sign = refusals.length === 0 ? span('ok  ', 'ready') : span('no  ', 'failed')
  return [
    [sign, span(environment.name.padEnd(width), 'strong'), `  ${words}`],
    ...refusals.flatMap((refusal) => viewRefusal(refusal, 4 + width + 2)),
  ]
}

const viewRefusal = ({ message, hint }: EnvironmentView['refusals'][number], indent: number): Line[] => [
  [' '.repeat(indent), message],
  [' '.repeat(indent), span(`-> ${hint}`, 'accent')],
]

/** Exits as a start in it would. */
export async function showEnvironment(call: Call): Promise<Result> {
  const changes = readEnvironmentChanges(call)
  const shown = await (await call.agency()).showEnvironment(operand(call), changes)
  const { environment, refusals } = shown
  return {
    data: shown,
    status: refusals.length === 0 ? EXIT.ok : EXIT.unavailable,
    view: () => [
      ...viewFields(Object.entries(environment).map(([key, value]) => [key, showValue(value)] as const)),
      ...viewFields([['means', shown.words]]),
      ...refusals.flatMap((refusal) => viewRefusal(refusal, 0)),
    ],
  }
}

export async function checkEnvironment(call: Call): Promise<Result> {
  const changes = readEnvironmentChanges(call)
  const check = await (await call.agency()).checkEnvironment(operand(call), changes)
  const { lines, refusals, proved } = check
  return {
    data: check,
    status: proved ? EXIT.ok : EXIT.unavailable,
    view: () => [
      ...lines.map(viewProof),
      ...refusals.flatMap((refusal) => viewRefusal(refusal, 0)),
      ...(refusals.length > 0 ? [] : [summarizeProof(check)]),
    ],
  }
}

const viewProof = ({ attempt, must, held }: ProofLine): Line => [
  held ? span('held    ', 'ready') : span('BROKEN  ', 'failed'),
  must === 'fail' ? `cannot ${attempt}` : `can ${attempt}`,
]

function summarizeProof({ lines, proved, environment }: EnvironmentCheck): Line {
  if (lines.length === 0) return `${environment.name} has no box, so there is nothing to prove`
  return proved
    ? span(`The box holds: ${lines.length} attempts.`, 'ready')
    : span('The box does not hold. No agent is started in it.', 'failed')
}

const showValue = (value: unknown): Span =>
  Array.isArray(value) ? value.map(String).join(' ') : value === undefined ? '' : String(value)
