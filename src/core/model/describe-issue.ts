// What is wrong with a value that a person wrote, in words that name it.

import type * as z from 'zod/mini'

/** `environments.boxed.memory: expected a number`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const at = (key?: string): string =>
    [...issue.path.map(String), ...(key === undefined ? [] : [key])].join('.')
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.keys.map(at).join(', ')}: there is no such key`
    case 'invalid_type':
      return `${at()}: expected ${withArticle(issue.expected)}`
    case 'invalid_value':
      return `${at()}: expected one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${at()}: expected at least ${issue.minimum}${issue.origin === 'array' ? ' element' : ''}`
    case 'invalid_key':
      return `${at()}: ${NAME_RULES[String(issue.path[0])] ?? 'no such name'}`
    default:
      return `${at()}: ${issue.message ?? 'not valid'}`
  }
}

const NAME_RULES: Readonly<Record<string, string>> = {
  runners: 'a name of a runner has lowercase letters, digits and hyphens only',
  environments: 'a name of an environment has lowercase letters, digits and hyphens only, and is not local',
}

const withArticle = (type: string): string => {
  const name = type === 'record' || type === 'object' ? 'table' : type
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`
}
