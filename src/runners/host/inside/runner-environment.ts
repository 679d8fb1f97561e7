// The environment of a runner: the person's own variables, without ours and without those that would point git or a
// terminal program at something outside the sandbox.

import { readCarried } from '../carried-environment.ts'

export interface RunnerPlace {
  readonly invocationId: string
  /** As it is called inside. */
  readonly sandboxPath: string
  readonly planned: Readonly<Record<string, string>>
  /** It has a terminal of its own, so nothing may tell it of the terminal that the person sits at. */
  readonly headed: boolean
}

const INTERNAL = /^(GIT_|AGENCY_)/
const OUTER_TERMINAL =
  /^(TMUX|TMUX_PANE|STY|WINDOW|WINDOWID|TERMCAP|COLUMNS|LINES|TERM_PROGRAM|TERM_PROGRAM_VERSION|VTE_VERSION|LC_TERMINAL.*|KITTY_.*|ITERM_.*|WEZTERM_.*|ALACRITTY_.*|KONSOLE_.*)$/

/** Made from the environment of the runner's host. */
export function runnerEnvironment(env: NodeJS.ProcessEnv, place: RunnerPlace): Record<string, string> {
  const theirs = { ...env, ...readCarried(env) }
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
