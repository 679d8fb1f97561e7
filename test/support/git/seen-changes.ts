// Finds the paths that a perfect watcher would tell, by comparing what lies in a tree at two moments.

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export type Sight = ReadonlyMap<string, string>

/** Everything but git's and our own directory. Names that are not UTF-8 come out damaged, as they do from a watcher. */
export function lookAround(tree: string): Sight {
  const seen = new Map<string, string>()
  const visit = (directory: string): void => {
    for (const name of readdirSync(join(tree, directory))) {
      const path = directory === '' ? name : `${directory}/${name}`
      if (path === '.git' || path === '.agency') continue
      const there = lstatSync(join(tree, path), { bigint: true, throwIfNoEntry: false })
      seen.set(path, there === undefined ? `${Math.random()}` : describe(there))
      if (there?.isDirectory() === true) visit(path)
    }
  }
  visit('')
  return seen
}

type There = { ino: bigint; mode: bigint; mtimeNs: bigint; ctimeNs: bigint; isDirectory(): boolean }

/** A directory changes if it is another one. Changes inside of it are told by themselves. */
const describe = (there: There): string =>
  there.isDirectory()
    ? `directory ${there.ino}`
    : `${there.ino} ${there.mode} ${there.mtimeNs} ${there.ctimeNs}`

export function changedBetween(before: Sight, after: Sight): Set<string> {
  const paths = new Set([...before.keys(), ...after.keys()])
  return new Set([...paths].filter((path) => before.get(path) !== after.get(path)))
}
