// Codex CLI. Its sandbox and approval settings are the person's own: agency adds none.

import type { LaunchPlan, LaunchRequest, Runner } from '../../core/model/runner.ts'
import { fitsInArgument, headedPrompt, refuseNul, requirePrompt } from '../launch/argument-limits.ts'
import { probeProgram } from '../launch/probe.ts'
import { hasCodexAccount } from './codex-account.ts'

/** The version that was tried. Older ones may end, resume and report differently. */
export const CODEX_MINIMUM = '0.169.0'

export const codex: Runner = {
  name: 'codex',
  title: 'Codex',
  modes: ['headed', 'headless'],
  stream_format: 'codex',
  models: {},
  takes_model: true,
  permissions: [{ name: 'edit', title: 'edit files', args: ['-s', 'workspace-write'] }],
  needs: {
    variables: ['OPENAI_*', 'CODEX_*'],
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    host_variables: ['OPENAI_BASE_URL'],
    directories: [
      {
        path: '.codex',
        variable: 'CODEX_HOME',
        shown: ['auth.json'],
        copied: ['config.toml', 'AGENTS.md', 'prompts', 'skills'],
        sessions: ['sessions'],
        beside: [],
      },
    ],
  },
  probe: (env) =>
    probeProgram(env, {
      program: 'codex',
      title: 'Codex',
      minimum: CODEX_MINIMUM,
      install: 'npm install -g @openai/codex',
      update: 'npm install -g @openai/codex@latest',
      hasAccount: hasCodexAccount,
      login: 'codex login, or set CODEX_API_KEY',
    }),
  planLaunch: planCodex,
}

function planCodex(request: LaunchRequest, executable: string): LaunchPlan {
  refuseNul(request)
  return request.mode === 'headless' ? planHeadless(request, executable) : planHeaded(request, executable)
}

/** Options come before `resume`, which does not accept all of them. */
function planHeadless(request: LaunchRequest, executable: string): LaunchPlan {
  const prompt = requirePrompt(request)
  const options = [...modelArgs(request), ...request.extra_args]
  const session = request.resume_session_id
  const order = session === null ? ['--json', ...options] : [...options, '--json', 'resume', session]
  // Codex takes a prompt of `-` for standard input.
  const byArgument = prompt !== '-' && fitsInArgument(prompt)
  return {
    argv: [executable, 'exec', '-C', request.sandbox_path, ...order, '--', byArgument ? prompt : '-'],
    env: {},
    stdin: byArgument ? null : prompt,
    runner_session_id: session,
  }
}

/**
 * Without --no-daemon, codex installs a copy of itself and leaves two daemons running. Without -C, a resumed session
 * asks which directory is meant, and the wrong answer is another sandbox.
 */
function planHeaded(request: LaunchRequest, executable: string): LaunchPlan {
  const prompt = headedPrompt(request)
  const session = request.resume_session_id
  return {
    argv: [
      executable,
      ...['--no-daemon', '-C', request.sandbox_path],
      ...modelArgs(request),
      ...request.extra_args,
      ...(session === null ? [] : ['resume', session]),
      ...(prompt === null ? [] : ['--', prompt]),
    ],
    env: {},
    stdin: null,
    runner_session_id: session,
    reports_status: true,
  }
}

const modelArgs = (request: LaunchRequest): readonly string[] =>
  request.model === null ? [] : ['--model', request.model]
