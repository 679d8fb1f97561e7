// The variables that a run in a box gets of the person's: those that programs need to work at all, and those that its
// runner's row names. Tokens, agents' sockets and the like are none of them. Pure.

import type { RunnerNeeds } from '../../core/model/runner.ts'

const PLAIN = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'PWD',
    'LANG',
    'LANGUAGE',
    'LC_*',
    'TZ',
    'TERM',
    'COLORTERM',
  ],
  ...['NO_COLOR', 'FORCE_COLOR', 'CI', 'EDITOR', 'VISUAL', 'PAGER', 'AGENCY_*'],
]

/** `planned` are the runner's own, which are all passed on. */
export function boxedVariables(
  env: Readonly<Record<string, string>>,
  { variables, planned }: Pick<RunnerNeeds, 'variables'> & { readonly planned: readonly string[] },
): Record<string, string> {
  const rules = [...PLAIN, ...variables, ...planned]
  const isGiven = (name: string): boolean =>
    rules.some((rule) => (rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule))
  return Object.fromEntries(Object.entries(env).filter(([name]) => isGiven(name)))
}
