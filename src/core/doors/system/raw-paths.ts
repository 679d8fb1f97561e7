// Paths in a tree as git gives them, byte for byte: they need not be text.

import type { Stats } from 'node:fs'
import { rawBytes } from '../../model/raw-bytes.ts'
import { lstatIfThere } from './files.ts'

/** `a`, `a/b` for `a/b/c`. */
export const parentsOf = (path: string): string[] =>
  path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : parts.slice(0, at).join('/')))

/** What lies at the path itself, without following a link; null for nothing. */
export const statAt = (tree: string, path: string): Stats | null => lstatIfThere(rawPath(tree, path))

export const rawPath = (tree: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), rawBytes(path)])
