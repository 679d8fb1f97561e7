// What the kernel can pass in an argument list, checked before a sandbox exists: a NUL would end a string early, and
// with one string over 128 KiB the exec fails with an error that names nothing.

import { AgencyError } from '../../core/model/errors.ts'
import type { LaunchRequest } from '../../core/model/runner.ts'

/** Linux takes 131,071 bytes in one argument (MAX_ARG_STRLEN). The rest is room for what a wrapper script may add. */
export const LONGEST_ARGUMENT = 120_000

export const fitsInArgument = (text: string): boolean => Buffer.byteLength(text) <= LONGEST_ARGUMENT

/** Throws E_USAGE for a NUL, and says where it is. */
export function refuseNul(request: LaunchRequest): void {
  const places: readonly (readonly [string, string | null])[] = [
    ['the prompt', request.prompt],
    ['the model', request.model],
    ...request.extra_args.map((arg) => ['a runner argument', arg] as const),
  ]
  const bad = places.find(([, text]) => text?.includes('\0'))
  if (bad !== undefined) throw new AgencyError('E_USAGE', `${bad[0]} holds a NUL character`)
}

/** The whole prompt of a headless run. Throws E_PROMPT_MISSING if there is none. */
export function requirePrompt(request: LaunchRequest): string {
  if (request.prompt === null || request.prompt.trim() === '') throw new AgencyError('E_PROMPT_MISSING')
  return request.prompt
}

/**
 * What a headed runner is told in its arguments: the prompt or, if that is too long, to read it from its file. Its
 * standard input is the terminal, so there is no other way. null without a prompt.
 */
export function headedPrompt(request: LaunchRequest): string | null {
  const { prompt, prompt_path: path } = request
  if (prompt === null || prompt.trim() === '') return null
  if (fitsInArgument(prompt)) return prompt
  if (path === null) throw new AgencyError('E_USAGE', 'the prompt is too long for a headed runner')
  return `Read the file ${path} whole and do what it says.`
}
