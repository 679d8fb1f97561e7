// The mark that says what a tree is: runners may work in a sandbox and never in an integration tree.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDirectoryItself, isErrno, lstatIfThere } from '../../../doors/system/files.ts'
import { INTEGRATION_MARKER, MARKER_DIR, SANDBOX_MARKER } from '../../../model/markers.ts'
import { isRealDirectory } from '../../presence.ts'

const TEXTS: Readonly<Record<string, string>> = {
  [SANDBOX_MARKER]: '# This directory is a sandbox worktree.\n# Runners may execute here.\n',
  [INTEGRATION_MARKER]:
    '# This directory is an integration worktree.\n# Runners never execute here; only landings write to it.\n',
}

const IGNORES_ITSELF = `${MARKER_DIR}/.gitignore`
const IGNORE_ALL = '*\n'

/**
 * `marker` is a path from the tree's root. The marker's directory ignores itself, so that no commit takes it along. Returns
 * false where something else lies in its way.
 */
export function writeMarker(tree: string, marker: string): boolean {
  if (inTheWayOfMarker(tree, marker) !== null) return false
  const dir = join(tree, MARKER_DIR)
  if (lstatIfThere(dir) === null) mkdirSync(dir)
  writeIfMissing(join(tree, IGNORES_ITSELF), IGNORE_ALL)
  rmSync(join(tree, marker), { force: true })
  writeIfMissing(join(tree, marker), TEXTS[marker] ?? '')
  return true
}

/**
 * The path of what lies where the marker, `.agency` or the tree itself has to be, and is not replaced; null: nothing.
 * Anyone may commit a link at `.agency`, and an agent may put one in the place of the tree; through it we would write
 * into somebody else's directory. A directory in the place of the marker may hold anything.
 */
export function inTheWayOfMarker(tree: string, marker: string): string | null {
  if (!isRealDirectory(tree)) return tree
  const dir = join(tree, MARKER_DIR)
  if (lstatIfThere(dir)?.isDirectory() === false) return dir
  const path = join(tree, marker)
  return isDirectoryItself(path) ? path : null
}

/** Whether a file with that text is one that `writeMarker` may have written there. */
export const isOurMarker = (path: string, text: string | null): boolean =>
  text !== null && text === (path === IGNORES_ITSELF ? IGNORE_ALL : TEXTS[path])

/** Follows links, so that what lies behind one is refused, too, where a marker forbids something. */
export const hasMarker = (tree: string, marker: string): boolean => existsSync(join(tree, marker))

/** Creates the file exclusively, and so never writes through a link. */
function writeIfMissing(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}
