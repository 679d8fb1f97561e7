// Bytes that git has in another form: as its filters store them, by the attributes of the tree in which they lay.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CasePlace } from '../run/place.ts'

export interface Raw {
  readonly path: string
  readonly bytes: Buffer | null
  /** Of the tree in which it lay. */
  readonly attributes: Buffer | null
}

interface Asked {
  /** What is stored counts by itself, also where a check-out makes something else of it. */
  readonly landed: boolean
  has(id: string): boolean
}

export function isConverted(raw: Raw, place: CasePlace, { landed, has }: Asked): boolean {
  if (raw.bytes === null) return false
  const tree = mkdtempSync(join(place.dir, 'tmp', 'converted-'))
  try {
    if (raw.attributes !== null) writeFileSync(join(tree, '.gitattributes'), raw.attributes)
    const path = Buffer.from(raw.path, 'latin1').toString('utf8')
    const git = runGit(place, tree)
    const stored = git(['hash-object', '--stdin', '--path', path], raw.bytes).toString('latin1').trim()
    if (!has(stored)) return false
    return landed || git(['cat-file', '--filters', `--path=${path}`, stored], null).equals(raw.bytes)
  } catch {
    return false
  } finally {
    rmSync(tree, { recursive: true })
  }
}

/** With the repository's settings, and a work tree that has nothing but the attributes. */
function runGit({ here, env }: CasePlace, tree: string): (args: string[], input: Buffer | null) => Buffer {
  const common = { env: { ...env, ACTOR: 'account' }, stdio: 'pipe' } as const
  const asked = execFileSync('git', ['rev-parse', '--absolute-git-dir'], { ...common, cwd: here })
  const repository = asked.toString('utf8').replace(/\n$/, '')
  const alone = { ...common.env, GIT_INDEX_FILE: join(tree, 'no-index') }
  return (args, input) =>
    execFileSync('git', ['--git-dir', repository, '--work-tree', tree, ...args], {
      ...common,
      env: alone,
      cwd: tree,
      input: input ?? '',
    })
}
