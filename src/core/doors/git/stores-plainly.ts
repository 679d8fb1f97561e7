// Whether git's settings let it store files as they lie in a work tree, without converting anything.

import type { Git } from '../effects.ts'

const CONVERSIONS = '^core\\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode)$'
const HARMLESS =
  /^core\.(?:(?:autocrlf|ignorecase|precomposeunicode)\nfalse|(?:filemode|symlinks)\ntrue|eol\n(?:lf|native))$/i

export async function storesPlainly(git: Git): Promise<boolean> {
  const said = await git.fields(['config', '-z', '--get-regexp', CONVERSIONS], { answers: [1] })
  return said.every((entry) => HARMLESS.test(entry))
}
