// The one place where a command's result or error becomes output: text for people, or the envelope for scripts.

import { AgencyError } from '../../../core/model/errors.ts'
import { asOurError } from '../../../core/model/system-failure.ts'
import { type Console, type Output, writeOut } from '../../person/console.ts'
import { type Line, renderLines, span } from '../../text/line.ts'
import { choosePaint, type Paint } from '../../text/theme.ts'
import { escapeUnsafeJson, splitLines } from '../../text/visible.ts'
import { wrapText } from '../../text/wrap.ts'
import type { Page, Result } from '../commands/command.ts'

export const ENVELOPE_VERSION = '1.0'

export interface Manner {
  readonly json: boolean
  readonly noColor: boolean
}

/** Returns the exit status. */
export async function printResult(result: Result, console: Console, manner: Manner): Promise<number> {
  const status = result.status ?? 0
  if (manner.json) {
    await writeOut(console.stdout, envelope({ ok: true, data: result.data }))
    return status
  }
  if ('verbatim' in result) await writeOut(console.stdout, result.verbatim)
  else
    await printLines(console.stdout, result.view(pageFor(console)), paintFor(console.stdout, console, manner))
  return status
}

/** Returns the exit status of the error's code. */
export async function printError(thrown: unknown, console: Console, manner: Manner): Promise<number> {
  const error = asAgencyError(thrown, console.env)
  if (manner.json) {
    const { code, message, hint, details } = error
    await writeOut(console.stdout, envelope({ ok: false, error: { code, message, hint, details } }))
  } else {
    const lines = formatError(error, terminalColumns(console.stderr))
    await printLines(console.stderr, lines, paintFor(console.stderr, console, manner))
  }
  return error.exitStatus
}

export const printLines = (stream: Output, lines: readonly Line[], paint: Paint): Promise<void> =>
  writeOut(stream, renderLines(lines, paint))

export const paintFor = (stream: Output, console: Console, manner: Manner): Paint =>
  choosePaint({ env: console.env, isTTY: stream.isTTY === true, refused: manner.noColor })

export const pageFor = (console: Console): Page => ({
  columns: terminalColumns(console.stdout),
  now: console.now(),
})

const terminalColumns = ({ isTTY, columns }: Output): number => (isTTY === true ? (columns ?? 80) : Infinity)

const envelope = (body: Readonly<Record<string, unknown>>): string =>
  `${escapeUnsafeJson(JSON.stringify({ schema_version: ENVELOPE_VERSION, ...body }))}\n`

/**
 * Breaks the message between words. What has to be typed, or is a path, stays in one piece so that it can be copied.
 */
export function formatError(error: AgencyError, columns = Number.POSITIVE_INFINITY): Line[] {
  return [
    span(`error_code: ${error.code}`, 'failed'),
    ...(Number.isFinite(columns) ? wrapText(error.message, columns) : splitLines(error.message)),
    ...listDetails(error).map((path): Line => `  ${path}`),
    [span('hint: ', 'dim'), error.hint],
  ]
}

/** Files and directories that the error is about and that its message does not name. */
function listDetails({ details, message }: AgencyError): string[] {
  return ['files', 'conflicts', 'paths', 'known_repositories']
    .flatMap((key) => (Array.isArray(details[key]) ? details[key] : []))
    .map((entry: unknown) => pathIn(entry))
    .filter((path) => path !== '' && !message.includes(path))
}

function pathIn(entry: unknown): string {
  if (typeof entry === 'string') return entry
  if (typeof entry !== 'object' || entry === null || !('path' in entry)) return ''
  return String(entry.path)
}

function asAgencyError(thrown: unknown, env: NodeJS.ProcessEnv): AgencyError {
  const error = asOurError(thrown)
  if (error.code !== 'E_INTERNAL' || error === thrown || !(thrown instanceof Error)) return error
  const trace = env['AGENCY_DEBUG'] && thrown.stack !== undefined ? thrown.stack : thrown.message
  return new AgencyError('E_INTERNAL', trace, { cause: thrown })
}
