// Texts about the program as a whole, for `agency --help` and for the help topics.

import { ERROR_CODES } from '../../core/model/error-codes.ts'
import { EXIT } from '../../core/model/exit-status.ts'
import { type Line, span } from '../text/line.ts'

export const PROGRAM_SUMMARY =
  'Runs many coding agents on one git repository at once, each in a sandbox of its own. ' +
  'What they did is looked at, landed or discarded, and every step can be undone.'

export const PROGRAM_NOTES = `Start with:
  agency demo                                         see all of it on a throw-away repository
  agency worktree create --name my-feature            a branch and a directory of your own
  agency agent start --worktree my-feature --headless --prompt 'Fix the failing test'
  agency agent ls

An ID may be typed as any unique prefix, or as the last four characters that lists show.
Exit statuses: agency help exit-codes
Completion:    source <(agency completion bash)`

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'it worked',
  runner_failed: 'the command worked, but the runner that it waited for failed',
  usage: 'the command line, a name or the configuration is not valid',
  not_found: 'a repository, worktree, invocation or branch was not found, or fits more than one',
  refused: 'refused, because something would be lost or is not in the right state; nothing was changed',
  conflict: 'the work conflicts with the worktree; nothing was changed',
  unavailable: 'something that is needed is missing, busy, full or cannot be read',
  internal: 'agency met an error of its own',
  interrupted: 'ended by Ctrl-C; agents go on',
}

export interface ExitRow {
  readonly status: number
  readonly meaning: string
  readonly codes: readonly string[]
}

export function listExitRows(): ExitRow[] {
  return Object.entries(EXIT).map(([name, status]) => ({
    status,
    meaning: EXIT_MEANINGS[name as keyof typeof EXIT],
    codes: Object.entries(ERROR_CODES)
      .filter(([, row]) => row.exit === status)
      .map(([code]) => code),
  }))
}

export function formatExitCodes(): Line[] {
  return listExitRows().flatMap(({ status, meaning, codes }) => [
    [span(String(status).padStart(3), 'strong'), `  ${meaning}`],
    ...codes.map((code): Line => span(`       ${code}`, 'dim')),
  ])
}
