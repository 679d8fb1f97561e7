// What agency agent does, except landing: calls the facade and puts its answers into words.

import type { Agency, InvocationView } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import { EXIT } from '../../../core/model/exit-status.ts'
import { type InvocationRecord, isClosed } from '../../../core/model/invocation.ts'
import { mayBeDenied, viewDenials } from '../../text/denial-advice.ts'
import { type Line, span } from '../../text/line.ts'
import { type Call, operand, type Page, type Result } from '../commands/command.ts'
import { invocationData, invocationsData } from '../views/data.ts'
import { formatInvocation, formatInvocations, nameInvocation } from '../views/views.ts'
import { openPathInEditor } from './worktree-verbs.ts'

export async function runListAgents(call: Call): Promise<Result> {
  const worktree = call.text('worktree')
  const options = { all: call.flag('all'), ...(worktree === undefined ? {} : { worktree }) }
  const views = await (await call.agency()).listInvocations(options)
  return {
    get data() {
      return invocationsData(views)
    },
    view: (page) => formatInvocations(views, page),
  }
}

export async function showAgent(call: Call): Promise<Result> {
  const agency = await call.agency()
  const [invocation, events] = await Promise.all([
    agency.showInvocation(operand(call)),
    agency.invocationEvents(operand(call)),
  ])
  const history = events.map(({ at, message }): Line => [span(`${at}  `, 'dim'), message])
  const view = (page: Page): Line[] => [
    ...formatInvocation(invocation, page),
    ...(history.length === 0 ? [] : ['', ...history]),
  ]
  return { data: { invocation: invocationData(invocation), events }, view }
}

export async function attachAgent(call: Call): Promise<Result> {
  const { attachTerminal, viewEnding } = await import('./attach.ts')
  const ending = await attachTerminal(await call.agency(), operand(call), call.console)
  return { data: { ending }, view: () => viewEnding(operand(call), ending) }
}

export async function sendText(call: Call): Promise<Result> {
  const given = operand(call, 1)
  const text = given === '-' ? await readInput(call) : given
  const bytes = Buffer.from(call.flag('no-enter') ? text : `${text}\r`)
  await (await call.agency()).sendText(operand(call), bytes)
  return { data: { bytes: bytes.length }, view: () => [] }
}

/** Drops the last line break of a file: nobody pressed a key for it. */
async function readInput(call: Call): Promise<string> {
  const { text } = await import('node:stream/consumers')
  return (await text(call.console.stdin)).replace(/\r?\n$/, '')
}

export async function waitForAgents(call: Call): Promise<Result> {
  const options = readTimeout(call.text('timeout'))
  const agency = await call.agency()
  const invocations = await Promise.all(call.args.map((typed) => agency.waitInvocation(typed, options)))
  const failed = invocations.some(({ record }) => record.status !== 'finished')
  const denials = (await Promise.all(invocations.map(({ record }) => readDenials(agency, record)))).flat()
  if (call.json) call.say(...denials)
  return {
    data: { invocations: invocations.map(invocationData) },
    status: failed ? EXIT.runner_failed : EXIT.ok,
    view: (page) => [...formatInvocations({ invocations, broken: [] }, page), ...denials],
  }
}

/** Nothing for a headed agent, which asks the person at its terminal. */
async function readDenials(agency: Agency, record: InvocationRecord): Promise<Line[]> {
  if (isClosed(record) || !mayBeDenied(record)) return []
  const { files } = await agency.diffInvocation(record.invocation_id)
  const [first, ...advice] = viewDenials(record, files.length)
  return first === undefined ? [] : [[`${nameInvocation(record)}: `, first], ...advice]
}

function readTimeout(seconds: string | undefined): { timeout_ms?: number } {
  if (seconds === undefined) return {}
  const amount = seconds.trim() === '' ? Number.NaN : Number(seconds)
  if (amount >= 0 && Number.isFinite(amount)) return { timeout_ms: amount * 1000 }
  throw new AgencyError('E_USAGE', `'${seconds}' is not a number of seconds`)
}

type End = (agency: Agency, typed: string) => ReturnType<Agency['stopInvocation']>

export const stopAgent = (call: Call): Promise<Result> =>
  endAgent(call, (agency, typed) => agency.stopInvocation(typed))

export const killAgent = (call: Call): Promise<Result> =>
  endAgent(call, (agency, typed) => agency.killInvocation(typed))

async function endAgent(call: Call, end: End): Promise<Result> {
  const report = await end(await call.agency(), operand(call))
  const { invocation, ended } = report
  if (!ended) {
    throw new AgencyError('E_STILL_RUNNING', `${nameInvocation(invocation)} has not ended`, {
      hint: `agency agent kill ${invocation.invocation_id}`,
      details: { invocation_id: invocation.invocation_id },
    })
  }
  return { data: report, view: () => [[span('ended ', 'ready'), nameInvocation(invocation)]] }
}

export async function openSandbox(call: Call): Promise<Result> {
  const { record, path }: InvocationView = await (await call.agency()).showInvocation(operand(call))
  if (isClosed(record)) {
    throw new AgencyError(
      'E_INVOCATION_CLOSED',
      `${nameInvocation(record)} was ${record.landing_status}: its sandbox is gone`,
    )
  }
  if (path !== null) return openPathInEditor(call, path)
  throw new AgencyError('E_SANDBOX_OUT_OF_REACH', `no path leads to the files of ${nameInvocation(record)}`)
}
