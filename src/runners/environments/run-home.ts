// The home directory of a run in a box. It lies beside the sandbox's tree, keeps what the runner remembers, and goes
// with the sandbox; the person's own files are copied or shown, and never written.

import { cpSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DIR_MODE, lstatIfThere } from '../../core/doors/system/files.ts'
import type { RunnerNeeds } from '../../core/model/runner.ts'

/** Bytes of all that is copied: settings, not caches. */
const MOST_BYTES = 64 * 1024 * 1024

/** What was copied before stays as the runner left it. Returns the person's own files that are to be shown. */
export function fillHome(outside: string, person: string, { files }: Pick<RunnerNeeds, 'files'>): string[] {
  mkdirSync(outside, { recursive: true, mode: DIR_MODE })
  let left = MOST_BYTES
  const mayCopy = (source: string): boolean => {
    const there = statSync(source, { throwIfNoEntry: false })
    left -= there?.isFile() === true ? there.size : 0
    return left >= 0 && (there?.isFile() === true || there?.isDirectory() === true)
  }
  for (const { path } of files.filter(({ how }) => how === 'copied')) {
    const [from, to] = [join(person, path), join(outside, path)]
    if (lstatIfThere(from) === null || lstatIfThere(to) !== null) continue
    mkdirSync(dirname(to), { recursive: true, mode: DIR_MODE })
    cpSync(from, to, { recursive: true, dereference: true, filter: mayCopy })
  }
  return files
    .filter(({ how }) => how === 'shown')
    .map(({ path }) => join(person, path))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
}
