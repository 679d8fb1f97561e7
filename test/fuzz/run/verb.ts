// Runs the built program as a script does, and judges what it said: that it ended, by itself, in time, with one object, and
// with no error that is its own fault.

import { armFault, findProgram } from '../faults/arm-fault.ts'
import type { Fault } from '../plan/fault.ts'
import type { CasePlace } from './place.ts'
import { runWatched, type Watched } from './watched.ts'

export interface VerbRun {
  readonly words: readonly string[]
  readonly ok: boolean
  readonly data: unknown
  /** Of the error, if there is one. */
  readonly code: string | null
  readonly message: string
  /** Undefined if nothing was done to it. */
  readonly fault: string | undefined
  readonly struck: boolean
  readonly took: number
  /** What must not be. */
  readonly wrong: string[]
}

export interface VerbRequest {
  readonly words: readonly string[]
  readonly fault: Fault | null
  /** Modes of files bind it, though it is root. */
  readonly bound: boolean
}

const BOUND = ['--bounding-set', '-dac_override,-dac_read_search']

let setpriv: string | null | undefined

export async function runVerb(place: CasePlace, { words, fault, bound }: VerbRequest): Promise<VerbRun> {
  const armed = armFault(place, fault)
  if (setpriv === undefined) setpriv = process.getuid?.() === 0 ? findProgram('setpriv') : null
  const start = bound && setpriv !== null ? [setpriv, ...BOUND] : []
  const [file = '', ...args] = [
    ...start,
    ...armed.wrapper,
    process.execPath,
    ...armed.arguments,
    place.program,
    ...words,
    '--json',
  ]
  const ran = await runWatched({ file, args, cwd: place.here, env: { ...place.env, ...armed.env } })
  const struck = armed.disarm()
  return { words, fault: nameFault(fault), struck, took: ran.took, ...judge(ran, fault) }
}

export function nameFault(fault: Fault | null): string | undefined {
  if (fault === null) return undefined
  if (fault.by === 'limit') return `limit of ${fault.resource}`
  if (fault.by === 'full') return 'full file system'
  return fault.error ?? 'kill'
}

interface Judgement {
  readonly ok: boolean
  readonly data: unknown
  readonly code: string | null
  readonly message: string
  readonly wrong: string[]
}

function judge({ status, signal, stdout, stderr, stuck }: Watched, fault: Fault | null): Judgement {
  const none: Judgement = { ok: false, data: null, code: null, message: '', wrong: [] }
  if (stuck !== null) return { ...none, wrong: [`stuck, ${stuck}`] }
  if (signal === 'SIGKILL' && fault !== null && 'error' in fault && fault.error === null) return none
  // Node itself gives up like this where it gets no memory or may open no file.
  if (fault?.by === 'limit' && stdout === '') return none
  if (signal !== null) return { ...none, wrong: [`ended by ${signal}`] }
  const envelope = parseEnvelope(stdout)
  if (envelope === null)
    return { ...none, wrong: [`no envelope, status ${status}: ${(stderr || stdout).slice(0, 300)}`] }
  const { code = null, message = '' } = envelope.error ?? {}
  const wrong: string[] = []
  if (code === 'E_INTERNAL' || status === 70) wrong.push(`E_INTERNAL: ${message}`)
  // One verb runs at a time, so only a host can hold the lock, and none may for long.
  if (code === 'E_LOCKED') wrong.push(`E_LOCKED: ${message}`)
  if (/^\s+at .*:\d+:\d+\)?$/m.test(stderr)) wrong.push(`a stack on standard error: ${stderr.slice(0, 300)}`)
  return { ok: envelope.ok, data: envelope.data, code, message, wrong }
}

interface Envelope {
  readonly ok: boolean
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

function parseEnvelope(stdout: string): Envelope | null {
  try {
    const found: unknown = JSON.parse(stdout)
    return typeof found === 'object' && found !== null && 'ok' in found ? (found as Envelope) : null
  } catch {
    return null
  }
}
