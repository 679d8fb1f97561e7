// Where the repository of a submodule lies. No git is asked, which would believe the submodule's own settings; links are
// not followed.

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isDirectoryItself } from '../system/files.ts'

/** A work tree and the git directory in which git keeps its submodules. */
export interface SubmoduleHolder {
  readonly tree: string
  readonly gitDir: string
}

export interface SubmoduleLink {
  /** As `.gitmodules` calls it; null where it is not named there. */
  readonly name: string | null
  /** From the tree's root. */
  readonly path: string
}

/** Its git directory; null where it was never checked out in that tree. */
export function findSubmodule(
  { tree, gitDir }: SubmoduleHolder,
  { name, path }: SubmoduleLink,
): string | null {
  const named = name !== null && isPlainName(name) ? [join(gitDir, 'modules', name)] : []
  return [...named, join(tree, path, '.git')].find(isRepository) ?? null
}

/** None that leads out of the directory, which git refuses too. */
const isPlainName = (name: string): boolean =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

function isRepository(path: string): boolean {
  try {
    return (
      ['', 'objects', 'refs'].every((part) => isDirectoryItself(join(path, part))) &&
      realpathSync(path) === path
    )
  } catch {
    return false
  }
}
