// A runner that the person has defined in config.toml: argv templates that are filled in for each run.

import { findProgram } from '../../core/doors/system/find-program.ts'
import type { CustomRunner } from '../../core/model/config.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { RunMode } from '../../core/model/invocation.ts'
import type { Availability, LaunchPlan, LaunchRequest, Runner } from '../../core/model/runner.ts'
import { fitsInArgument, refuseNul, requirePrompt } from '../launch/argument-limits.ts'
import { resolveModel } from '../launch/models.ts'
import { unavailable } from '../launch/probe.ts'
import { fillTemplate, mentions, type Template } from './argv-template.ts'

/** Throws E_CONFIG_INVALID for a definition that could never run, or would lose the prompt. */
export function customRunner(name: string, row: CustomRunner): Runner {
  const program = checkRow(name, row)
  const modes: readonly RunMode[] = (['headed', 'headless'] as const).filter(
    (mode) => row[mode] !== undefined,
  )
  return {
    name,
    title: row.title ?? name,
    modes,
    stream_format: row.stream ?? 'text',
    models: row.models ?? {},
    takes_model: [row.headless, row.headed].some(
      (template) => template !== undefined && mentions(template, 'model'),
    ),
    permissions: [],
    probe: async (env) => probeCustom(name, program, env),
    planLaunch: (request, executable) => planCustom({ name, row }, request, executable),
  }
}

interface NamedRow {
  readonly name: string
  readonly row: CustomRunner
}

function checkRow(name: string, row: CustomRunner): string {
  const wrong = (key: string, why: string): AgencyError =>
    new AgencyError('E_CONFIG_INVALID', `runners.${name}${key}: ${why}`, { details: { runner: name } })
  const [first, second] = [row.headless, row.headed].flatMap((template) => template?.[0] ?? [])
  if (first === undefined) throw wrong('', "give it a command: headless = ['PROGRAM', '{prompt}']")
  if (second !== undefined && second !== first) {
    throw wrong(
      '.headed',
      `it begins with '${second}', and headless with '${first}': one program serves both`,
    )
  }
  if (first.includes('/') && !/^(\/|~\/)/.test(first)) {
    throw wrong('', `'${first}' must be a name on PATH, an absolute path, or begin with ~/`)
  }
  if (row.headless !== undefined && row.prompt_by !== 'stdin' && !takesPrompt(row.headless)) {
    throw wrong(
      '.headless',
      "it takes no prompt: add '{prompt}' or '{prompt_file}', or set prompt_by = 'stdin'",
    )
  }
  return first
}

const takesPrompt = (template: Template): boolean =>
  mentions(template, 'prompt') || mentions(template, 'prompt_file')

function probeCustom(name: string, program: string, env: NodeJS.ProcessEnv): Availability {
  const executable = findProgram(program, env)
  if (executable !== null) return { state: 'ready', executable, version: null }
  const message = `the runner '${name}' is not installed: there is no executable '${program}'`
  return unavailable('E_RUNNER_MISSING', message, `install it, or change runners.${name} in config.toml`)
}

function planCustom({ name, row }: NamedRow, request: LaunchRequest, executable: string): LaunchPlan {
  refuseNul(request)
  const template = row[request.mode]
  if (template === undefined) {
    throw new AgencyError('E_RUNNER_MODE', `the runner '${name}' has no ${request.mode} command`)
  }
  if (request.resume_session_id !== null) {
    throw new AgencyError('E_RUNNER_MODE', `the runner '${name}' has no way to follow up on a session`)
  }
  if (request.model !== null && !mentions(template, 'model')) {
    throw new AgencyError('E_USAGE', `the runner '${name}' takes no model`, {
      hint: `add '{model}' to runners.${name}.${request.mode} in config.toml`,
    })
  }
  const byStdin = request.mode === 'headless' && row.prompt_by === 'stdin'
  const prompt = checkPrompt({ name, template, byStdin }, request)
  return {
    argv: [executable, ...fillTemplate(template.slice(1), templateValues(row, request), request.extra_args)],
    env: row.env ?? {},
    stdin: byStdin ? prompt : null,
    runner_session_id: mentions(template, 'session_id') ? request.new_session_id : null,
  }
}

const templateValues = (
  row: CustomRunner,
  request: LaunchRequest,
): Readonly<Record<string, string | null>> => ({
  prompt: request.prompt,
  prompt_file: request.prompt_path,
  model: request.model === null ? null : resolveModel(row.models ?? {}, request.model),
  session_id: request.new_session_id,
  sandbox: request.sandbox_path,
})

interface PromptRoute {
  readonly name: string
  readonly template: Template
  readonly byStdin: boolean
}

/** Refuses a prompt that would be lost, or that is too long to be passed on. */
function checkPrompt({ name, template, byStdin }: PromptRoute, request: LaunchRequest): string | null {
  const prompt = request.mode === 'headless' ? requirePrompt(request) : request.prompt
  if (prompt === null || byStdin) return prompt
  if (!takesPrompt(template)) {
    throw new AgencyError(
      'E_RUNNER_MODE',
      `the ${request.mode} command of the runner '${name}' takes no prompt`,
      {
        hint: `start it without one, or add '{prompt}' to runners.${name}.${request.mode} in config.toml`,
      },
    )
  }
  if (mentions(template, 'prompt') && !fitsInArgument(prompt)) {
    throw new AgencyError('E_USAGE', `the prompt is too long for an argument of the runner '${name}'`, {
      hint: `use '{prompt_file}' in runners.${name}, or prompt_by = 'stdin'`,
    })
  }
  return prompt
}
