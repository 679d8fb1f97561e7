// Reads where refs point. Refs are always named in full here: git takes a short name for a tag or a file as well.

import { type ObjectId, parseObjectId } from '../../model/ids.ts'
import type { Git } from '../effects.ts'

/** Where a ref points; null where there is none. */
export async function readTip(store: Git, ref: string): Promise<ObjectId | null> {
  const found = await store.run(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    answers: [1, 128],
  })
  return found.exitCode === 0 ? parseObjectId(found.stdout.toString('utf8')) : null
}

/** The same for several refs at once. */
export async function readTips(store: Git, refs: readonly string[]): Promise<(ObjectId | null)[]> {
  const input = refs.map((ref) => `${ref}^{commit}\n`).join('')
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)']
  const found = await store.run(args, { input, answers: [128] })
  // Asked one by one, because a damaged object behind one ref makes git fail for all.
  if (found.exitCode !== 0) return Promise.all(refs.map((ref) => readTip(store, ref)))
  const lines = found.stdout.toString('utf8').split('\n')
  return refs.map((_ref, at) => {
    const [object = '', type] = lines[at]?.split(' ') ?? []
    return type === 'commit' ? parseObjectId(object) : null
  })
}

/**
 * The full name of the ref that HEAD stands for, whether that exists or not; null where HEAD is detached. Never its short
 * name: if a tag has the name of a branch `x`, git calls the branch `heads/x`.
 */
export async function readHeadRef(git: Git): Promise<string | null> {
  const asked = await git.run(['symbolic-ref', '--quiet', 'HEAD'], { answers: [1, 128] })
  return asked.exitCode === 0 ? asked.stdout.toString('utf8').replace(/\n$/, '') : null
}
