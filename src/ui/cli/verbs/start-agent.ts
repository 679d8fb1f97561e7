// agency agent start, and the second half of agency run.

import type { StartingAgency, StartRequest } from '../../../core/facade/agency.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { InvocationRecord, RunMode } from '../../../core/model/invocation.ts'
import { showPath } from '../../../core/model/sandbox-path.ts'
import { type Line, span } from '../../text/line.ts'
import type { Call, Result } from '../commands/command.ts'
import { nameInvocation } from '../views/views.ts'
import { readForkSource } from './checkpoint-target.ts'
import { readEnvironmentChanges } from './environment-changes.ts'
import { type Prompt, readPrompt } from './prompt.ts'

export interface StartTarget {
  /**
   * Called only when everything else on the command line has been checked, because the worktree may have to be made.
   */
  worktree(): Promise<string | undefined>
  /** The invocation's own name. */
  readonly name: string | undefined
}

export function startInWorktree(call: Call<StartingAgency>): Promise<Result> {
  return startAgent(call, { worktree: async () => call.text('worktree'), name: call.text('name') })
}

export async function startAgent(call: Call<StartingAgency>, target: StartTarget): Promise<Result> {
  const mode: RunMode = call.flag('headless') ? 'headless' : 'headed'
  const returns = call.flag('detached') || call.flag('no-start')
  if (mode === 'headed' && !returns) requireTerminal(call)
  const from = call.text('from')
  const fork = from === undefined ? {} : { from: readForkSource(from) }
  const prompt = await readPrompt(call, mode === 'headless' && !call.flag('no-start'))
  const agency = await call.agency()
  const given = { mode, prompt, name: target.name, worktree: await target.worktree() }
  const request = { ...makeRequest(call, given), ...fork }
  if (mode === 'headless' && !returns)
    return (await import('./follow-run.ts')).followRun(call, agency, request)
  const record = await agency.startInvocation(request, (message) => call.say(span(message, 'dim')))
  if (returns) return { data: { invocation: record }, view: () => viewStarted(record, call.flag('no-start')) }
  return attachTo(call, agency, record)
}

function requireTerminal({ console }: Call<unknown>): void {
  if (console.stdin.isTTY === true && console.stdout.isTTY === true) return
  throw new AgencyError('E_NO_TERMINAL', "joining the agent's terminal needs a terminal", {
    hint: 'add --detached to start it without joining, or --headless for a run without a terminal',
  })
}

interface Given {
  readonly mode: RunMode
  readonly prompt: Prompt
  readonly name: string | undefined
  readonly worktree: string | undefined
}

function makeRequest(call: Call<unknown>, { mode, prompt, name, worktree }: Given): StartRequest {
  const { columns, rows } = call.console.stdout
  const changes = readEnvironmentChanges(call)
  const texts = { runner: 'runner', model: 'model', environment: 'env', resume: 'resume' } as const
  const chosen = Object.entries(texts).flatMap(([key, option]) => {
    const value = call.text(option)
    return value === undefined ? [] : [[key, value] as const]
  })
  return {
    ...(worktree === undefined ? {} : { worktree }),
    mode,
    ...prompt,
    ...Object.fromEntries(chosen),
    ...(Object.keys(changes).length === 0 ? {} : { environment_changes: changes }),
    ...(name === undefined ? {} : { name }),
    ...(columns === undefined || rows === undefined ? {} : { columns, rows }),
    extra_args: [...call.list('runner-arg'), ...call.rest],
    include_untracked: !call.flag('no-include-untracked'),
    no_start: call.flag('no-start'),
  }
}

async function attachTo(
  call: Call<StartingAgency>,
  agency: StartingAgency,
  record: InvocationRecord,
): Promise<Result> {
  const { attachTerminal, viewEnding } = await import('./attach.ts')
  const ending = await attachTerminal(agency, record.invocation_id, call.console)
  return { data: { invocation: record, ending }, view: () => viewEnding(record.invocation_id, ending) }
}

function viewStarted(record: InvocationRecord, made: boolean): Line[] {
  return [
    [
      span(made ? 'made ' : 'started ', 'ready'),
      span(nameInvocation(record), 'strong'),
      ` ${record.invocation_id}`,
    ],
    ...(made ? [showPath(record.sandbox_path)] : []),
  ]
}
