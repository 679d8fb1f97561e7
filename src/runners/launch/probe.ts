// Whether a runner can be used here, asked before a sandbox is made. If in doubt the answer is yes: a wrong refusal is
// worse than the runner's own error.

import { findProgram } from '../../core/doors/system/find-program.ts'
import type { Availability } from '../../core/model/runner.ts'
import { askVersion, isOlder, type VersionAnswer } from './version.ts'

export interface ProgramFacts {
  readonly program: string
  readonly title: string
  readonly minimum: string
  /** What to type for each thing that may be missing. */
  readonly install: string
  readonly update: string
  readonly login: string
  hasAccount(env: NodeJS.ProcessEnv): boolean
}

export async function probeProgram(env: NodeJS.ProcessEnv, facts: ProgramFacts): Promise<Availability> {
  const executable = findProgram(facts.program, env)
  if (executable === null) {
    const message = `${facts.title} is not installed: there is no '${facts.program}' on PATH`
    return unavailable('E_RUNNER_MISSING', message, facts.install)
  }
  const answer = await askVersion(executable, env)
  return judgeVersion(answer, executable, facts) ?? judgeAccount(answer, executable, { facts, env })
}

function judgeVersion(answer: VersionAnswer, executable: string, facts: ProgramFacts): Availability | null {
  if (answer.kind === 'broken') {
    const message = `${executable} does not run: ${answer.reason}`
    return unavailable('E_RUNNER_MISSING', message, facts.install)
  }
  const version = versionOf(answer)
  if (version === null || !isOlder(version, facts.minimum)) return null
  const message = `${executable} is version ${version}, and ${facts.minimum} is the oldest that works`
  return unavailable('E_RUNNER_TOO_OLD', message, facts.update)
}

function judgeAccount(
  answer: VersionAnswer,
  executable: string,
  { facts, env }: { readonly facts: ProgramFacts; readonly env: NodeJS.ProcessEnv },
): Availability {
  if (facts.hasAccount(env)) return { state: 'ready', executable, version: versionOf(answer) }
  return unavailable('E_RUNNER_NO_ACCOUNT', `${facts.title} is not logged in`, facts.login)
}

function versionOf(answer: VersionAnswer): string | null {
  switch (answer.kind) {
    case 'answered':
      return answer.version
    case 'broken':
    case 'silent':
      return null
  }
}

export const unavailable = (
  code: Extract<Availability, { state: 'unavailable' }>['code'],
  message: string,
  hint: string,
): Availability => ({ state: 'unavailable', code, message, hint })
