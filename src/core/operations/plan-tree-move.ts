// What moving a work tree from one commit to another comes to, and two small trees that say nothing else: git's two-way
// merge keeps every index entry that is in neither of them, so it need not read the 99 % that stay as they are.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratchDirectory } from '../effects/scratch-directory.ts'
import { AgencyError } from '../model/errors.ts'
import type { ObjectId } from '../model/ids.ts'
import { rawInput, showRaw } from '../model/raw-bytes.ts'
import { parseRawDiff, type RawChange } from '../model/raw-diff.ts'
import { MARKER_DIR } from '../store/paths.ts'
import type { Repository } from '../store/repository.ts'

export interface TreeMove {
  readonly from: ObjectId
  readonly to: ObjectId
  /** Without renames; raw paths. */
  readonly changes: readonly RawChange[]
  /** Trees of the changed paths alone. */
  readonly narrow_from: ObjectId
  readonly narrow_to: ObjectId
}

export async function planTreeMove(repository: Repository, from: ObjectId, to: ObjectId): Promise<TreeMove> {
  const { store } = repository.git
  const changes = await readTreeChanges(repository, from, to)
  const scratch = makeScratchDirectory(repository.paths.dir, 'trees')
  const treeOf = async (name: string, entries: readonly string[]): Promise<ObjectId> => {
    const index = join(scratch, name)
    await store.run(['update-index', '-z', '--index-info'], { index, input: rawInput(entries) })
    return store.object(['write-tree', '--missing-ok'], { index })
  }
  try {
    const [narrow_from, narrow_to] = await Promise.all([
      treeOf(
        'from',
        changes.filter(wasThere).map((c) => `${c.old_mode} ${c.old_object}\t${c.path}`),
      ),
      treeOf(
        'to',
        changes.filter(isThere).map((c) => `${c.new_mode} ${c.new_object}\t${c.path}`),
      ),
    ])
    return { from, to, changes, narrow_from, narrow_to }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export async function readTreeChanges(
  { git }: Repository,
  from: ObjectId,
  to: ObjectId,
): Promise<readonly RawChange[]> {
  const args = [
    'diff-tree',
    '-r',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    '--ignore-submodules=none',
    '-z',
    from,
    to,
  ]
  return parseRawDiff((await git.store.run(args)).stdout).changes
}

export const wasThere = (change: RawChange): boolean => change.kind !== 'added'
export const isThere = (change: RawChange): boolean => change.kind !== 'deleted'

/** Throws E_MARKER_IN_WORK. */
export function refuseMarkers({ changes }: TreeMove): void {
  const ours = changes.filter(({ path }) => path === MARKER_DIR || path.startsWith(`${MARKER_DIR}/`))
  if (ours.length === 0) return
  const files = ours.map((change) => showRaw(change.path))
  throw new AgencyError('E_MARKER_IN_WORK', `the work contains ${files.join(', ')}`, { details: { files } })
}
