// Which directories of a tree git ignores, and names of usual ones that may appear later.

import type { Git } from '../../../doors/effects.ts'
import { selectIgnored } from '../../../doors/git/select-ignored.ts'
import { rawFields, rawOf, showRaw } from '../../../model/raw-bytes.ts'

/** Tools fill these directories with tens of thousands of files at a time. */
const USUAL = [
  'node_modules',
  'target',
  'dist',
  'build',
  'out',
  '.venv',
  'venv',
  '.next',
  '.cache',
  'vendor',
  'coverage',
]
/** At most so many, because each event is compared with each of them. */
const MOST = 200

/** Paths from the tree's root. None where git could not say. */
export async function listIgnoredDirectories(git: Git): Promise<string[]> {
  const args = ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']
  const [listed, usual] = await Promise.all([
    git.run(args, { answers: [128] }).catch(() => null),
    selectIgnored(
      git,
      USUAL.map((name) => rawOf(`${name}/`)),
    ),
  ])
  const there = rawFields(listed?.stdout ?? Buffer.alloc(0)).filter((path) => path.endsWith('/'))
  const all = [...there, ...(usual ?? [])].map((path) => showRaw(path.replace(/\/$/, '')))
  return [...new Set(all)].slice(0, MOST)
}
