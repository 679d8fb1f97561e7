// Writes a checkpoint's files into a directory of the person's, to be read without git. The directory has to be new or
// empty: nothing is ever overwritten, and nothing is written through a link.

import { readKeptState } from '../../changesets/worktree/keep/read-kept-state.ts'
import { putBackVerbatim } from '../../changesets/worktree/restore/put-back-verbatim.ts'
import { readVerbatim } from '../../changesets/worktree/restore/read-verbatim.ts'
import { PRIVATE_INDEX } from '../../doors/git/index-oddities.ts'
import { withEmptyScratch } from '../../doors/git/scratch-index.ts'
import {
  deletePath,
  emptyDirectory,
  listNames,
  lstatIfThere,
  makeDirForPerson,
} from '../../doors/system/files.ts'
import type { Exported, ExportTarget } from '../../facade/agency.ts'
import type { Checkpoint } from '../../model/checkpoint.ts'
import { AgencyError } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Repository } from '../../store/repository.ts'
import { findCheckpoint } from './find-checkpoint.ts'

/** Throws E_CHECKPOINT_NOT_FOUND, E_EXPORT_TARGET. If writing fails, what was written is deleted. */
export async function exportCheckpoint(
  repository: Repository,
  record: InvocationRecord,
  { checkpoint: number, to }: { readonly checkpoint: number; readonly to: ExportTarget },
): Promise<Exported> {
  const checkpoint = findCheckpoint(repository, record, number)
  const made = await claimTarget(to.path)
  try {
    const files = await writeCheckpointFiles(repository, record, { checkpoint, to })
    return { path: to.path, files, notes: notesOn(checkpoint) }
  } catch (error) {
    emptyAgain(to.path, made)
    throw error
  }
}

/** Returns true if the directory was made for this. */
async function claimTarget(path: string): Promise<boolean> {
  const there = lstatIfThere(path)
  if (there === null) {
    await makeDirForPerson(path)
    return true
  }
  if (!there.isDirectory()) throw notEmpty(path, there.isSymbolicLink() ? 'is a link' : 'is a file')
  if (listNames(path).length > 0) throw notEmpty(path, 'is not empty')
  return false
}

const notEmpty = (path: string, why: string): AgencyError =>
  new AgencyError('E_EXPORT_TARGET', `${path} ${why}`, { details: { path } })

interface WritingCheckpoint {
  readonly checkpoint: Checkpoint
  readonly to: ExportTarget
}

function writeCheckpointFiles(
  { git, paths, effects }: Repository,
  { invocation_id }: InvocationRecord,
  { checkpoint, to }: WritingCheckpoint,
): Promise<number> {
  const { sandboxDir } = paths.invocation(invocation_id)
  const request = { git, scratchDir: sandboxDir, head: checkpoint.snapshot_commit }
  return withEmptyScratch(request, async ({ bind }) => {
    const there = bind(to.path)
    await there.run([...PRIVATE_INDEX, 'read-tree', checkpoint.tree])
    const listed = await there.run([...PRIVATE_INDEX, 'ls-files', '-z'])
    const files = listed.stdout.reduce((total, byte) => total + (byte === 0 ? 1 : 0), 0)
    to.progress?.(`writing ${files === 1 ? '1 file' : `${files} files`} to ${to.path}`)
    effects.onStep('write the files')
    // Without -f git overwrites nothing that appears there meanwhile.
    await there.run([...PRIVATE_INDEX, '-c', 'checkout.workers=2', 'checkout-index', '-a'])
    const kept = await readKeptState({ git }, checkpoint.snapshot_commit)
    const place = { store: git.store, tree: to.path, scratchDir: to.path }
    await putBackVerbatim(place, await readVerbatim(git.store, kept))
    return files
  })
}

/** The directory was empty, so everything in it was written by us. */
function emptyAgain(path: string, made: boolean): void {
  if (made) deletePath(path)
  else emptyDirectory(path)
}

const notesOn = ({ excluded, incomplete }: Checkpoint): string[] => [
  ...excluded.map((path) => `${path} was left out of the checkpoint`),
  ...incomplete.map((path) => `git could not hold ${path}`),
]
