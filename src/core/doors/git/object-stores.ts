// The directories that a repository's objects lie in: its own, and those that it borrows from.

import { isAbsolute, join, resolve } from 'node:path'
import { isDirectoryItself, readTextIfRegular } from '../system/files.ts'

/** As git follows them. */
const DEEPEST = 5
const MOST_BYTES = 1 << 20

/** Without those that are not there. The repository's own store comes first. */
export function objectStores(commonDir: string): string[] {
  const found = new Set<string>()
  const visit = (store: string, depth: number): void => {
    if (depth > DEEPEST || found.has(store) || !isDirectoryItself(store)) return
    found.add(store)
    const said =
      readTextIfRegular(join(store, 'info/alternates'), { most: MOST_BYTES, links: 'followed' }) ?? ''
    for (const line of said.split('\n')) {
      if (line !== '' && !line.startsWith('#'))
        visit(isAbsolute(line) ? line : resolve(store, line), depth + 1)
    }
  }
  visit(join(commonDir, 'objects'), 0)
  return [...found]
}
