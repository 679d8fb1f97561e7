// Claude Code. Its permissions are the person's own settings: agency adds no permission mode.

import type { LaunchPlan, LaunchRequest, Runner } from '../../core/model/runner.ts'
import { fitsInArgument, headedPrompt, refuseNul, requirePrompt } from '../launch/argument-limits.ts'
import { resolveModel } from '../launch/models.ts'
import { probeProgram } from '../launch/probe.ts'
import { hasClaudeAccount } from './claude-account.ts'

/** The oldest version that was tried. It says less about refused tools; nothing else differs. */
export const CLAUDE_MINIMUM = '2.1.197'

/** The CLI itself takes these names for the latest model of each family. */
const MODELS = { opus: 'opus', sonnet: 'sonnet', haiku: 'haiku' } as const

const PERMISSIONS = [
  { name: 'edit', title: 'edit files', args: ['--permission-mode', 'acceptEdits'] },
  {
    name: 'commit',
    title: 'edit and commit',
    args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(git:*)'],
  },
] as const

/** If the person gives one of these, they choose the session themselves: adding ours would be an error. */
const SESSION_FLAGS = ['--session-id', '--resume', '-r', '--continue', '-c', '--from-pr']

export const claude: Runner = {
  name: 'claude',
  title: 'Claude Code',
  modes: ['headed', 'headless'],
  stream_format: 'claude',
  models: MODELS,
  takes_model: true,
  permissions: PERMISSIONS,
  needs: {
    variables: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*'],
    hosts: ['api.anthropic.com', 'claude.ai', 'platform.claude.com', 'console.anthropic.com'],
    host_variables: ['ANTHROPIC_BASE_URL'],
    directories: [
      {
        path: '.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        shown: ['.credentials.json'],
        copied: ['.claude.json', 'settings.json', 'CLAUDE.md', 'agents', 'commands', 'skills', 'plugins'],
        sessions: ['projects'],
        beside: ['.claude.json'],
      },
    ],
  },
  probe: (env) =>
    probeProgram(env, {
      program: 'claude',
      title: 'Claude Code',
      minimum: CLAUDE_MINIMUM,
      install: 'npm install -g @anthropic-ai/claude-code',
      update: 'claude update',
      hasAccount: hasClaudeAccount,
      login: 'run claude and type /login, or set ANTHROPIC_API_KEY',
    }),
  planLaunch: planClaude,
}

function planClaude(request: LaunchRequest, executable: string): LaunchPlan {
  refuseNul(request)
  const prompt = request.mode === 'headless' ? headlessPrompt(request) : positional(headed(request))
  return {
    argv: [executable, ...printFlags(request), ...optionArgs(request), ...prompt.args],
    env: {},
    stdin: prompt.stdin,
    reports_status: request.mode === 'headed',
    runner_session_id: request.resume_session_id ?? (choosesSession(request) ? null : request.new_session_id),
  }
}

const printFlags = (request: LaunchRequest): readonly string[] =>
  request.mode === 'headless' ? ['-p', '--output-format', 'stream-json', '--verbose'] : []

function optionArgs(request: LaunchRequest): readonly string[] {
  const model = request.model === null ? [] : ['--model', resolveModel(MODELS, request.model)]
  return [...sessionArgs(request), ...model, ...request.extra_args]
}

function sessionArgs(request: LaunchRequest): readonly string[] {
  if (request.resume_session_id !== null) return ['--resume', request.resume_session_id]
  return choosesSession(request) ? [] : ['--session-id', request.new_session_id]
}

const choosesSession = (request: LaunchRequest): boolean =>
  request.extra_args.some((arg) => SESSION_FLAGS.includes(arg.split('=', 1)[0] ?? arg))

interface PromptInput {
  readonly args: readonly string[]
  readonly stdin: string | null
}

function headlessPrompt(request: LaunchRequest): PromptInput {
  const prompt = requirePrompt(request)
  return fitsInArgument(prompt) ? positional(prompt) : { args: [], stdin: prompt }
}

/** A single word would be taken for a subcommand, even after `--`: a prompt of `update` would update the CLI. */
function headed(request: LaunchRequest): string | null {
  const prompt = headedPrompt(request)
  return prompt !== null && /^\S+$/.test(prompt) ? `${prompt} ` : prompt
}

/**
 * With `--`, a prompt that begins with a hyphen, or follows a flag that takes many values, is still taken for the
 * prompt.
 */
const positional = (prompt: string | null): PromptInput => ({
  args: prompt === null ? [] : ['--', prompt],
  stdin: null,
})
