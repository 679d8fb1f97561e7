// agency agent logs.

import type { Agency, LogPaths } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { RunMode } from '../../../core/model/invocation.ts'
import type { StreamEvent } from '../../../core/model/stream-event.ts'
import { type TailOptions, tailFile } from '../../log/tail.ts'
import { writeOut } from '../../person/console.ts'
import { type Line, renderLine, span } from '../../text/line.ts'
import type { Call, Result } from '../commands/command.ts'
import { operand } from '../commands/command.ts'
import { readPlain, readRecording, readStreamEvents, readTranscript } from '../views/log-lines.ts'
import { paintFor } from '../views/print.ts'

export async function showLogs(call: Call): Promise<Result> {
  const agency = await call.agency()
  const typed = operand(call)
  const [view, paths] = await Promise.all([agency.showInvocation(typed), agency.logPaths(typed)])
  const source = chooseSource(call, paths, view.record.mode)
  if (call.json) return collect(call, paths, source)
  const options = tailOptions(call, agency, typed)
  const verbatim = call.flag('raw') && call.console.stdout.isTTY !== true
  const any = verbatim
    ? await copyBytes(call, source.path, options)
    : await printAll(call, source.read(source.path, options))
  if (!any && options.until === null) call.say(span('nothing has been written yet', 'dim'))
  return { data: null, view: () => [] }
}

interface Source {
  readonly path: string
  readonly kind: 'events' | 'text'
  readonly read: (path: string, options: TailOptions) => AsyncGenerator<Line>
}

function chooseSource(call: Call, paths: LogPaths, mode: RunMode): Source {
  if (call.flag('stderr')) {
    if (mode === 'headed') {
      throw new AgencyError('E_USAGE', 'a headed run has one terminal and no standard error of its own')
    }
    return { path: paths.stderr, kind: 'text', read: readPlain }
  }
  const log = mode === 'headed' ? paths.cast : paths.raw
  if (call.flag('raw')) return { path: log, kind: 'text', read: readPlain }
  if (mode === 'headed') return { path: log, kind: 'text', read: readRecording }
  return { path: paths.stream, kind: 'events', read: readTranscript }
}

function tailOptions(call: Call, agency: Agency, typed: string): TailOptions {
  return { until: call.flag('follow') ? agency.waitInvocation(typed) : null }
}

async function collect(call: Call, paths: LogPaths, { path, kind, read }: Source): Promise<Result> {
  if (call.flag('follow')) {
    throw new AgencyError('E_USAGE', '--follow has no JSON form', {
      hint: 'agency agent logs ID --follow --raw',
    })
  }
  const view = (): Line[] => []
  if (kind === 'events') {
    const events: StreamEvent[] = []
    for await (const event of readStreamEvents(path, { until: null })) events.push(event)
    return { data: { paths, events }, view }
  }
  const lines: string[] = []
  for await (const line of read(path, { until: null })) lines.push(typeof line === 'string' ? line : '')
  return { data: { paths, lines }, view }
}

/** False if there was nothing to print. */
async function printAll(call: Call, lines: AsyncGenerator<Line>): Promise<boolean> {
  const { console } = call
  const paint = paintFor(console.stdout, console, { json: false, noColor: call.flag('no-color') })
  let any = false
  for await (const line of lines) {
    await writeOut(console.stdout, `${renderLine(line, paint)}\n`)
    any = true
  }
  return any
}

async function copyBytes(call: Call, path: string, options: TailOptions): Promise<boolean> {
  let any = false
  for await (const chunk of tailFile(path, options)) {
    await writeOut(call.console.stdout, chunk)
    any = true
  }
  return any
}
