// When a restore is tried again or taken back, some files already are as they shall be. They are left alone: perhaps one
// of them is what could not be written.

import type { Git } from '../../../doors/effects.ts'
import { type EntryChange, PRIVATE_INDEX, removal, setEntries } from '../../../doors/git/index-oddities.ts'
import { statAt } from '../../../doors/system/raw-paths.ts'
import { rawFields } from '../../../model/raw-bytes.ts'
import { GITLINK_MODE, type RawChange } from '../../../model/raw-diff.ts'

/** The private index says what lay in the tree before. Afterwards it says of finished files what they are by now. */
export async function spareFinished(git: Git, tree: string, changes: readonly RawChange[]): Promise<void> {
  await setEntries(
    git,
    changes
      .filter((change) => isGone(tree, change))
      .map(({ path, old_object }) => removal({ path, object: old_object })),
  )
  const candidates = changes.filter((change) => mayBeFinished(tree, change))
  if (candidates.length === 0) return
  await setEntries(git, candidates.map(after))
  await git.run([...PRIVATE_INDEX, 'update-index', '-q', '--ignore-submodules', '--refresh'], {
    answers: [1],
  })
  const differing = new Set(
    rawFields((await git.run([...PRIVATE_INDEX, 'diff-files', '--name-only', '-z'])).stdout),
  )
  await setEntries(git, candidates.filter(({ path }) => differing.has(path)).map(before))
}

/** Where nothing may be written, git fails to remove even what is not there. A directory is not the file that went. */
function isGone(tree: string, { kind, old_mode, path }: RawChange): boolean {
  if (kind !== 'deleted' || old_mode === GITLINK_MODE) return false
  const there = statAt(tree, path)
  return there === null || there.isDirectory()
}

function mayBeFinished(tree: string, { kind, old_mode, new_mode, path }: RawChange): boolean {
  if (kind === 'deleted' || new_mode === GITLINK_MODE || old_mode === GITLINK_MODE) return false
  const there = statAt(tree, path)
  return there !== null && !there.isDirectory()
}

const after = ({ new_mode, new_object, path }: RawChange): EntryChange => ({
  mode: new_mode,
  object: new_object,
  path,
})

const before = ({ kind, old_mode, old_object, new_object, path }: RawChange): EntryChange =>
  kind === 'added' ? removal({ path, object: new_object }) : { mode: old_mode, object: old_object, path }
