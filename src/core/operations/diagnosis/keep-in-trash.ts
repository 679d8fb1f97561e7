// Keeps commits of a sandbox that is closed or set aside without a capture, under its ref in the trash. What that kept
// before stays kept, so it may be repeated.

import { readTip } from '../../doors/git/read-tips.ts'
import type { InvocationId, ObjectId } from '../../model/ids.ts'
import type { Repository } from '../../store/repository.ts'
import { trashRef } from '../sandboxes/close-sandbox.ts'

/** The caller holds the lock. The first commit's files are those of the ref. */
export async function keepInTrash(
  repository: Repository,
  id: InvocationId,
  commits: readonly ObjectId[],
): Promise<void> {
  const { store } = repository.git
  const ref = trashRef(id)
  const kept = await readTip(store, ref)
  const missing: ObjectId[] = []
  for (const commit of commits) if (!(await isKept(repository, commit, kept))) missing.push(commit)
  const [first] = missing
  if (first === undefined) return
  const parents = kept === null ? missing : [...missing, kept]
  const joined = parents.length === 1 ? first : await join(repository, first, parents)
  await store.run(['update-ref', '--no-deref', ref, joined])
}

async function isKept({ git }: Repository, commit: ObjectId, kept: ObjectId | null): Promise<boolean> {
  if (kept === null) return false
  const args = ['merge-base', '--is-ancestor', commit, kept]
  return (await git.store.run(args, { answers: [1, 128] })).exitCode === 0
}

function join(
  { git, effects }: Repository,
  first: ObjectId,
  parents: readonly ObjectId[],
): Promise<ObjectId> {
  const date = `@${Math.floor(effects.clock.now().getTime() / 1000)} +0000`
  const named = parents.flatMap((parent) => ['-p', parent])
  return git.store.object(['commit-tree', `${first}^{tree}`, ...named, '-F', '-'], {
    input: 'What was left of a sandbox\n',
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  })
}
