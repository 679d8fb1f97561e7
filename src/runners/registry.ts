// The runners that this person has: those built in and those of config.toml. A new built-in agent is one row here.

import type { Config } from '../core/model/config.ts'
import { AgencyError } from '../core/model/errors.ts'
import type { Runner, RunnerCatalog } from '../core/model/runner.ts'
import { claude } from './claude/claude.ts'
import { codex } from './codex/codex.ts'
import { customRunner } from './custom/custom.ts'
import { shell } from './shell/shell.ts'

const BUILT_IN: readonly Runner[] = [claude, codex, shell]

/** Throws E_CONFIG_INVALID for a runner of the person's that takes a built-in name or can never run. */
export function runnerCatalog(config: Config): RunnerCatalog {
  const own = Object.entries(config.runners ?? {}).map(([name, row]) => {
    if (BUILT_IN.some((runner) => runner.name === name)) throw nameTaken(name)
    return customRunner(name, row)
  })
  const runners = new Map([...BUILT_IN, ...own].map((runner) => [runner.name, runner]))
  return {
    names: [...runners.keys()],
    get: (name) => runners.get(name) ?? unknownRunner(name, [...runners.keys()]),
  }
}

const nameTaken = (name: string): AgencyError =>
  new AgencyError(
    'E_CONFIG_INVALID',
    `runners.${name}: '${name}' is built in and cannot be replaced; give yours another name, such as my-${name}`,
    { details: { runner: name } },
  )

function unknownRunner(name: string, names: readonly string[]): never {
  throw new AgencyError('E_RUNNER_UNKNOWN', `there is no runner '${name}'; there are ${names.join(', ')}`, {
    details: { runners: names },
  })
}
