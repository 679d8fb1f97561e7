// Whether bubblewrap works here, found out by running it. Where it does not, the reason says what to do.

import { findProgram } from '../../core/doors/system/find-program.ts'
import type { Environment } from '../../core/model/environment.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import { frameArguments } from './bubblewrap.ts'
import { runOnce } from './run-once.ts'
import { systemPaths } from './system-paths.ts'

export interface FoundBubblewrap {
  /** Where it is installed: it lets programs inside reach the proxy by TCP. */
  readonly socat: string | null
  /** Absolute. */
  readonly bubblewrap: string
  /** GNU's env, which gives the runner its signals back. */
  readonly gnuEnv: string
}

/** Looks only; null where a program is missing. */
export function findBubblewrap(env: NodeJS.ProcessEnv): FoundBubblewrap | null {
  const bubblewrap = findProgram('bwrap', env)
  const gnuEnv = findProgram('env', env)
  const socat = findProgram('socat', env)
  return bubblewrap === null || gnuEnv === null ? null : { bubblewrap, gnuEnv, socat }
}

export async function tryBubblewrap(
  { outputs }: Pick<Environment, 'outputs'>,
  env: NodeJS.ProcessEnv,
): Promise<readonly PreflightFailure[]> {
  if (process.platform !== 'linux')
    return [refusal(`isolation 'os' needs Linux; this is ${process.platform}`, 'use: --env local')]
  const found = findBubblewrap(env)
  if (found === null) {
    return [refusal("isolation 'os' needs bubblewrap: there is no 'bwrap' on PATH", INSTALL)]
  }
  if (outputs === 'restricted' && found.socat === null) return [NO_SOCAT]
  const { code, errors: said } = await runOnce(
    [...frameArguments(found.bubblewrap, systemPaths()), '--', found.gnuEnv, '--default-signal=INT', 'true'],
    env,
  )
  if (code === 0) return []
  const why = said.trim().split('\n').at(-1) ?? ''
  const hint = /user namespace|uid map|[Oo]peration not permitted|No permissions/.test(said)
    ? 'let users make name spaces: sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0'
    : /default-signal|unrecognized option/.test(said)
      ? 'install coreutils 8.31 or later'
      : INSTALL
  return [
    refusal(`isolation 'os' does not work here: ${why === '' ? `bwrap exited with ${code}` : why}`, hint),
  ]
}

const NO_SOCAT: PreflightFailure = {
  code: 'E_OUTPUTS_UNENFORCEABLE',
  message: "outputs 'restricted' need socat: there is no 'socat' on PATH",
  hint: 'install it: apt install socat, dnf install socat, pacman -S socat',
}

const INSTALL = 'install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap'

const refusal = (message: string, hint: string): PreflightFailure => ({
  code: 'E_ISOLATION_UNAVAILABLE',
  message,
  hint,
})
