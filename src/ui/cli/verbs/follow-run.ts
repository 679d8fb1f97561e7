// Waits for a headless run: its progress goes to standard error, and its verdict is the exit status.

import type { InvocationView, StartingAgency, StartRequest } from '../../../core/facade/agency.ts'
import { formatDiffstat } from '../../../core/model/change.ts'
import { EXIT } from '../../../core/model/exit-status.ts'
import { type InvocationRecord, isActive, isClosed } from '../../../core/model/invocation.ts'
import { formatUsage } from '../../text/amounts.ts'
import { viewDenials } from '../../text/denial-advice.ts'
import { type Line, span } from '../../text/line.ts'
import type { Call, Result } from '../commands/command.ts'
import { readTranscript } from '../views/log-lines.ts'
import { nameInvocation } from '../views/views.ts'

/** Ctrl-C stops the showing and never the agent, even while the sandbox is still being made. */
export async function followRun(
  call: Call<StartingAgency>,
  agency: StartingAgency,
  request: StartRequest,
): Promise<Result> {
  const interrupt = new AbortController()
  const release = call.console.onInterrupt(() => interrupt.abort())
  try {
    const started = await agency.startInvocation(request, (message) => call.say(span(message, 'dim')))
    call.say([
      span('started ', 'ready'),
      span(nameInvocation(started), 'strong'),
      ` ${started.invocation_id}`,
    ])
    const ended = await followToEnd(call, { agency, id: started.invocation_id, signal: interrupt.signal })
    return ended === null ? tellWayBack(started) : await judgeRun(call, agency, ended)
  } finally {
    release()
  }
}

interface FollowedRun {
  readonly agency: StartingAgency
  readonly id: string
  readonly signal: AbortSignal
}

/** null if the person stopped following. */
async function followToEnd(
  call: Call<StartingAgency>,
  { agency, id, signal }: FollowedRun,
): Promise<InvocationView | null> {
  const { stream } = await agency.logPaths(id)
  const end = agency.waitInvocation(id)
  for await (const line of readTranscript(stream, { until: end, signal })) call.say(line)
  return signal.aborted ? null : end
}

const tellWayBack = (record: InvocationRecord): Result => ({
  data: { invocation: record, followed: false },
  status: EXIT.interrupted,
  view: () => [
    `${nameInvocation(record)} goes on.`,
    `  agency agent logs ${record.invocation_id} --follow`,
    `  agency agent stop ${record.invocation_id}`,
  ],
})

async function judgeRun(
  call: Call<StartingAgency>,
  agency: StartingAgency,
  { record }: InvocationView,
): Promise<Result> {
  const { files } = isClosed(record) ? { files: [] } : await agency.diffInvocation(record.invocation_id)
  const lines = viewVerdict(record, formatDiffstat(files))
  const denials = isClosed(record) ? [] : viewDenials(record, files.length)
  if (call.json) call.say(...denials)
  return {
    data: { invocation: record, files },
    status: record.status === 'finished' ? EXIT.ok : EXIT.runner_failed,
    view: () => [
      ...lines,
      ...denials,
      ...(files.length > 0 ? [span(`agency agent diff ${record.invocation_id}`, 'dim')] : []),
    ],
  }
}

export function viewVerdict(record: InvocationRecord, diffstat: string): Line[] {
  if (isActive(record)) return [`${nameInvocation(record)} is still running`]
  const ended = record.exit_signal ?? (record.exit_code === null ? '' : `exit ${record.exit_code}`)
  const facts = [diffstat, record.usage === null ? '' : formatUsage(record.usage)].filter(
    (fact) => fact !== '',
  )
  const verdict =
    record.status === 'finished'
      ? span('finished', 'ready')
      : span(`failed (${ended || 'unknown'})`, 'failed')
  return [
    [verdict, ` ${nameInvocation(record)}${facts.length === 0 ? '' : `: ${facts.join('; ')}`}`],
    ...(record.failure === null ? [] : [span(`  ${record.failure}`, 'failed')]),
  ]
}
