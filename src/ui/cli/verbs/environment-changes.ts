// What the options of a start say about its environment, checked as a row of config.toml is.

import { describeIssue } from '../../../core/model/describe-issue.ts'
import { type EnvironmentChanges, environmentChangesSchema } from '../../../core/model/environment.ts'
import { AgencyError } from '../../../core/model/errors.ts'
import type { Call } from '../commands/command.ts'
import { ENVIRONMENT_OPTIONS } from '../commands/environment-options.ts'
import { longName } from '../commands/global-options.ts'

/** Throws E_USAGE, naming the option. */
export function readEnvironmentChanges(call: Call<unknown>): EnvironmentChanges {
  const said = ENVIRONMENT_OPTIONS.flatMap((option) => {
    const name = longName(option)
    const value = option.takes === 'list' ? call.list(name) : call.text(name)
    if (value === undefined || value.length === 0) return []
    return [[option.key, option.takes === 'number' ? Number(value) : value] as const]
  })
  const parsed = environmentChangesSchema.safeParse(Object.fromEntries(said))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const option = ENVIRONMENT_OPTIONS.find(({ key }) => key === issue?.path[0])
  const why = issue === undefined ? 'not valid' : describeIssue({ ...issue, path: issue.path.slice(1) })
  const name = option === undefined ? 'an option' : `--${longName(option)}`
  throw new AgencyError('E_USAGE', `${name}${why.startsWith(':') ? '' : ' '}${why}`)
}
