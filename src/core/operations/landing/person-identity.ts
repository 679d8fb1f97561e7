// Who commits when a person lands work: that person, as their git configuration says.

import type { Git } from '../../doors/effects.ts'
import { AGENCY_IDENTITY } from '../../model/identity.ts'

export interface Person {
  readonly name: string
  readonly email: string
}

/** If the person has not told git who they are, it is agency. */
export async function readPerson(git: Git): Promise<Person> {
  const asked = await git.fields(['config', '-z', '--get-regexp', '^(user|committer)\\.(name|email)$'], {
    answers: [1],
  })
  const said = new Map(
    asked.map((entry): [string, string] => {
      const end = entry.indexOf('\n')
      return end < 0 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)]
    }),
  )
  const pick = (what: 'name' | 'email'): string =>
    said.get(`committer.${what}`) || said.get(`user.${what}`) || ''
  const person = { name: pick('name'), email: pick('email') }
  return person.name === '' || person.email === '' ? AGENCY_IDENTITY : person
}
