// What a runner finds in its environment: the person's own variables, without ours and without those that would point
// git or a terminal program at something outside the sandbox.

import { OWN_NODE_SETTINGS } from '../../core/effects/own-node.ts'

export interface RunnerPlace {
  readonly invocationId: string
  readonly sandboxPath: string
  readonly planned: Readonly<Record<string, string>>
  /** A terminal of its own: the one that the person sits at must not shine through. */
  readonly headed: boolean
}

/** Carries the person's values of what a host's own node is started with past it. */
const CARRIED = 'AGENCY_CARRIED_ENV'

const INTERNAL = /^(GIT_|AGENCY_)/
const OUTER_TERMINAL =
  /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION|VTE_VERSION|LC_TERMINAL.*|KITTY_.*|ITERM_.*|WEZTERM_.*|ALACRITTY_.*|KONSOLE_.*)$/

/** The environment of a new host. */
export function hostEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const carried = Object.fromEntries(Object.keys(OWN_NODE_SETTINGS).map((name) => [name, env[name]]))
  const { AGENCY_INVOCATION_ID: _, AGENCY_SANDBOX: __, ...own } = env
  return { ...own, ...OWN_NODE_SETTINGS, [CARRIED]: JSON.stringify(carried) }
}

/** The environment of the runner, from that of its host. */
export function runnerEnvironment(env: NodeJS.ProcessEnv, place: RunnerPlace): Record<string, string> {
  const theirs = { ...env, ...parseCarried(env) }
  const kept = Object.entries(theirs).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !INTERNAL.test(entry[0]) && !(place.headed && OUTER_TERMINAL.test(entry[0])),
  )
  return {
    ...Object.fromEntries(kept),
    ...(place.headed ? { TERM: 'xterm-256color', COLORTERM: 'truecolor' } : {}),
    ...place.planned,
    PWD: place.sandboxPath,
    AGENCY_INVOCATION_ID: place.invocationId,
    AGENCY_SANDBOX: place.sandboxPath,
  }
}

function parseCarried(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const none = Object.fromEntries(Object.keys(OWN_NODE_SETTINGS).map((name) => [name, undefined]))
  return { ...none, ...(JSON.parse(env[CARRIED] ?? '{}') as Record<string, string>) }
}
