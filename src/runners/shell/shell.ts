// The shell as a runner: it needs no account and makes any script an agent. Headless, the prompt is a script for sh.
// Headed, it runs in the person's own shell, which then stays open.

import { findProgram } from '../../core/doors/system/find-program.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { LaunchPlan, LaunchRequest, Runner } from '../../core/model/runner.ts'
import { fitsInArgument, refuseNul, requirePrompt } from '../launch/argument-limits.ts'

// $1 is nothing, a command (-c) or a script file; what follows are its arguments. The trap keeps Ctrl-C from ending
// this script together with the command, so that the person gets the shell.
const STAY_OPEN = `shell=\${SHELL:-/bin/sh}
trap : INT
"$shell" "$@"
trap - INT
exec "$shell"`

const PLAIN = `exec "\${SHELL:-/bin/sh}" "$@"`

export const shell: Runner = {
  name: 'shell',
  title: 'Shell',
  modes: ['headed', 'headless'],
  stream_format: 'text',
  models: {},
  takes_model: false,
  permissions: [],
  probe: async (env) => ({ state: 'ready', executable: findProgram('sh', env) ?? '/bin/sh', version: null }),
  planLaunch: planShell,
}

function planShell(request: LaunchRequest, executable: string): LaunchPlan {
  refuseNul(request)
  if (request.model !== null) throw new AgencyError('E_USAGE', 'the shell has no models')
  if (request.resume_session_id !== null) {
    throw new AgencyError('E_RUNNER_MODE', 'the shell has no sessions to follow up on')
  }
  const args = request.mode === 'headless' ? headlessArgs(request) : headedArgs(request)
  return { argv: [executable, ...args], env: {}, stdin: null, runner_session_id: null }
}

const headlessArgs = (request: LaunchRequest): readonly string[] =>
  scriptArgs(request, requirePrompt(request), 'sh')

function headedArgs(request: LaunchRequest): readonly string[] {
  const { prompt, extra_args: args } = request
  if (prompt === null || prompt.trim() === '') return ['-c', PLAIN, 'agency-shell', ...args]
  return ['-c', STAY_OPEN, 'agency-shell', ...scriptArgs(request, prompt, 'shell')]
}

/** The person's arguments become $1, $2 and so on, as for any script. */
function scriptArgs(request: LaunchRequest, script: string, name: string): readonly string[] {
  const { prompt_path: path, extra_args: args } = request
  if (fitsInArgument(script)) return ['-c', command(script), ...(args.length > 0 ? [name, ...args] : [])]
  if (path === null) throw new AgencyError('E_USAGE', 'the script is too long to be given as an argument')
  return [path, ...args]
}

/**
 * A script that begins with - or + would be taken for options, and not every shell knows `--`: so a space goes before
 * it.
 */
const command = (script: string): string => (/^[-+]/.test(script) ? ` ${script}` : script)
