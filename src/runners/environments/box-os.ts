// A box of the operating system: bubblewrap gives the run name spaces, a home and a /tmp of its own, no capabilities, and
// nothing of the person's but the sandbox's tree and repository. All that is there has the path that it has outside.

import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Exec } from '../../core/doors/spawner/exec.ts'
import { lstatIfThere } from '../../core/doors/system/files.ts'
import type { PreflightFailure } from '../../core/model/environment-catalog.ts'
import { AgencyError } from '../../core/model/errors.ts'
import type { Box, BoxPlace } from './box.ts'
import { boxedVariables } from './boxed-variables.ts'
import { bubblewrapArguments } from './bubblewrap.ts'
import { type FoundBubblewrap, findBubblewrap, tryBubblewrap } from './find-bubblewrap.ts'
import { writeIdentity } from './git-identity.ts'
import { readMounts, refuseMounts } from './mounts.ts'
import { proveBox } from './prove-box.ts'
import { type FilledHome, fillHome } from './run-home.ts'
import { type SystemPaths, systemPaths, toolPaths } from './system-paths.ts'
import { openWayOut, PROXY_VARIABLES, relayArguments, type WayOut } from './way-out.ts'

export const boxOs: Box = {
  outputs: ['open', 'restricted', 'none'],
  grants: ['allow', 'mounts', 'setup', 'teardown', 'variables'],
  preflight: async (environment, { env, data_dir }) => {
    const why = refuseMounts(environment, { home: env['HOME'] ?? homedir(), data_dir })
    const refused: PreflightFailure[] =
      why === null ? [] : [{ code: 'E_LIMIT_UNENFORCEABLE', message: why, hint: 'agency env show NAME' }]
    return [...(await tryBubblewrap(environment, env)), ...refused]
  },
  inside: (path) => path,
  open: async (place) => {
    const found = findBubblewrap(place.env)
    if (found === null) throw new AgencyError('E_ISOLATION_UNAVAILABLE', 'bubblewrap is gone')
    const person = place.env['HOME'] ?? homedir()
    const outside = homeOf(place.sandbox_path)
    const { resumed_path, env } = place
    const resumed = resumed_path === null ? null : homeBeside(resumed_path, person)
    const filled = fillHome({ outside, person, resumed, env }, place.needs)
    await writeIdentity(outside, place.env)
    const way = await openWayOut(place)
    const system = systemPaths()
    const wrap = (plan: Exec): Exec => wrapPlan(plan, place, { found, person, outside, filled, way, system })
    return {
      wrap,
      prove: () => (way === null ? proveBox(place, wrap) : way.untold(() => proveBox(place, wrap))),
      close: async () => way?.close(),
    }
  },
}

const homeOf = (sandbox_path: string): string => join(dirname(sandbox_path), 'home')

/** A run without a box has kept its sessions in the person's home. */
function homeBeside(sandbox_path: string, person: string): string {
  const own = homeOf(sandbox_path)
  return lstatIfThere(own) === null ? person : own
}

interface Opened {
  readonly found: FoundBubblewrap
  readonly person: string
  readonly outside: string
  readonly filled: FilledHome
  readonly way: WayOut | null
  readonly system: SystemPaths
}

/**
 * The terminal sends Ctrl-C to bubblewrap too, and a stop reaches every process of the run. So it ignores those
 * signals; what it runs gets them back.
 */
const SIGNALS = ['INT', 'TERM', 'HUP', 'QUIT']
const IGNORE = `trap '' ${SIGNALS.join(' ')}; exec "$@"`

function wrapPlan(
  plan: Exec,
  place: BoxPlace,
  { found, person, outside, filled, way, system }: Opened,
): Exec {
  const { sandbox_path, own_repository, object_stores, prompt_path, data_dir, needs } = place
  const tools = toolPaths({
    executable: place.executable,
    path: plan.env['PATH'] ?? '',
    home: person,
    data_dir,
  })
  const mounts = readMounts(place.environment, person)
  const fixed = own_repository === null ? [] : FIXED.map((name) => join(own_repository, name))
  const box = bubblewrapArguments({
    bubblewrap: found.bubblewrap,
    system,
    home: { outside, inside: person },
    shown: [...tools, ...mounts.shown, ...object_stores],
    moved: filled.shown,
    writable: [...mounts.writable, sandbox_path, ...(own_repository === null ? [] : [own_repository])],
    fixed: [...fixed, prompt_path],
    network: place.environment.outputs === 'open',
    proxy: way?.proxy ?? null,
    cwd: sandbox_path,
  })
  const relay = way === null || found.socat === null ? [] : relayArguments(found.socat)
  const signals = `--default-signal=${SIGNALS.join(',')}`
  return {
    argv: ['/bin/sh', '-c', IGNORE, 'sh', ...box, found.gnuEnv, signals, ...relay, ...plan.argv],
    cwd: plan.cwd,
    env: {
      ...boxedVariables(plan.env, {
        variables: [...needs.variables, ...(place.environment.variables ?? [])],
        planned: place.planned,
      }),
      ...(way === null ? {} : PROXY_VARIABLES),
      ...filled.variables,
      HOME: person,
    },
  }
}

/** What of its own repository an agent may read only: git on the person's side never reads it, but its own does. */
const FIXED = ['config', 'hooks', 'objects/info/alternates'] as const
