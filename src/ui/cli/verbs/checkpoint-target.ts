// Which invocation, and which of its checkpoints, a command line means: `ID N`, `ID@N`, or `--invocation ID N`.

import type { Agency, ForkSource } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { Call } from '../commands/command.ts'

export interface CheckpointTarget {
  readonly invocation: string
  /** undefined if none was typed. */
  readonly number: number | undefined
  /** The operands after these. */
  readonly more: readonly string[]
}

/** Throws E_USAGE. */
export function readTarget(call: Call): CheckpointTarget {
  const option = call.text('invocation')
  const [typed, ...rest] = option === undefined ? call.args : [option, ...call.args]
  if (typed === undefined) throw usage('the id of an invocation is missing', 'agency agent ls lists them')
  const { invocation, checkpoint } = readForkSource(typed)
  if (checkpoint !== undefined) return { invocation, number: checkpoint, more: rest }
  const [number, ...more] = rest
  return { invocation, number: number === undefined ? undefined : readNumber(number), more }
}

/** `ID` or `ID@N`. Throws E_USAGE. */
export function readForkSource(typed: string): ForkSource {
  const at = typed.lastIndexOf('@')
  if (at < 0) return { invocation: typed }
  return { invocation: typed.slice(0, at), checkpoint: readNumber(typed.slice(at + 1)) }
}

/** Throws E_USAGE if no number was typed: a command that changes something never guesses. */
export function requireNumber({ invocation, number }: CheckpointTarget): number {
  if (number !== undefined) return number
  throw usage("the checkpoint's number is missing", `agency checkpoint ls ${invocation}`)
}

/** The number that was typed, otherwise the newest. Throws E_CHECKPOINT_NOT_FOUND. */
export async function numberOrNewest(
  agency: Agency,
  { invocation, number }: CheckpointTarget,
): Promise<number> {
  if (number !== undefined) return number
  const newest = (await agency.listCheckpoints(invocation)).checkpoints.at(-1)
  if (newest !== undefined) return newest.id
  throw new AgencyError('E_CHECKPOINT_NOT_FOUND', `${invocation} has no checkpoint yet`, {
    hint: `agency checkpoint create ${invocation}`,
  })
}

export function refuseMore({ more }: CheckpointTarget): void {
  if (more[0] !== undefined) throw usage(`unexpected argument '${more[0]}'`)
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usage(`'${text}' is no number of a checkpoint`, 'agency checkpoint ls ID lists them')
}

const usage = (message: string, hint?: string): AgencyError =>
  new AgencyError('E_USAGE', message, hint === undefined ? {} : { hint })
