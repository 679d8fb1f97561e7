// What lies in a work tree, byte by byte: for comparing a tree before and after.

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * From raw paths to kind, mode and content. Leaves out git's and our own directory, and the raw paths in `without`,
 * which may be directories.
 */
export function treeManifest(tree: string, without: ReadonlySet<string> = new Set()): Record<string, string> {
  const found: Record<string, string> = {}
  const waiting = ['']
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    for (const name of readdirSync(at(tree, dir), { encoding: 'latin1' })) {
      const path = dir === '' ? name : `${dir}/${name}`
      if (path === '.git' || path === '.agency' || without.has(path)) continue
      if (lstatSync(at(tree, path)).isDirectory()) waiting.push(path)
      else found[path] = describe(at(tree, path))
    }
  }
  return found
}

function describe(full: Buffer): string {
  const stat = lstatSync(full)
  if (stat.isSymbolicLink()) return `link ${readlinkSync(full, 'latin1')}`
  return `${stat.mode & 0o100 ? 'executable' : 'file'} ${readFileSync(full, 'latin1')}`
}

const at = (tree: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])

/** From raw paths to all permissions and, of files, all bytes. With directories; without git's and our own. */
export function exactManifest(tree: string): Record<string, string> {
  const found: Record<string, string> = {}
  const waiting = ['']
  for (let dir = waiting.pop(); dir !== undefined; dir = waiting.pop()) {
    for (const name of readdirSync(at(tree, dir), { encoding: 'latin1' })) {
      const path = dir === '' ? name : `${dir}/${name}`
      if (path === '.git' || path === '.agency') continue
      found[path] = describeExactly(at(tree, path))
      if (lstatSync(at(tree, path)).isDirectory()) waiting.push(path)
    }
  }
  return found
}

function describeExactly(full: Buffer): string {
  const stat = lstatSync(full)
  const bytes = stat.isFile() ? ` ${readFileSync(full, 'latin1')}` : ''
  return `${(stat.mode & 0o7777).toString(8)}${bytes}`
}
