// Brings a sandbox's files, index, branch and HEAD to a kept state, byte for byte. The journal is there before anything
// is touched, and every step may be done twice: after a kill another process does them again.

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { writeMarker } from '../../changesets/worktree/proof/marker.ts'
import { proveOurs, sandboxTree } from '../../changesets/worktree/proof/our-tree.ts'
import { isGitDirOf } from '../../changesets/worktree/remove/remove-tree.ts'
import { bringBack, setAside } from '../../changesets/worktree/restore/set-aside.ts'
import {
  endStatesInProgress,
  resumeStatesInProgress,
} from '../../changesets/worktree/restore/states-in-progress.ts'
import type { Git } from '../../doors/effects.ts'
import { nextIndex } from '../../doors/git/index-lock.ts'
import { PRIVATE_INDEX, removal, setEntries, settleOddities } from '../../doors/git/index-oddities.ts'
import { readTip } from '../../doors/git/read-tips.ts'
import { copyIndex, withScratchIndex } from '../../doors/git/scratch-index.ts'
import { lstatIfThere, writeAtomic } from '../../doors/system/files.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { KeptState } from '../../model/kept-state.ts'
import { SANDBOX_MARKER } from '../../model/markers.ts'
import { notOurs } from '../../model/path-safety.ts'
import { rawInput } from '../../model/raw-bytes.ts'
import type { Repository } from '../../store/repository.ts'
import { type RestoreJournal, writeRestoreJournal } from '../../store/restore-journal.ts'
import { moveRefs } from '../history/move-refs.ts'
import { readKeptState } from '../sandboxes/restore-tree.ts'

interface Applying {
  readonly repository: Repository
  readonly record: InvocationRecord
  readonly journal: RestoreJournal
  readonly kept: KeptState
}

/**
 * The caller holds the lock and has written the journal; nothing of the invocation runs. Sentences to pass on. Throws
 * E_PATH_NOT_OURS, E_UNDO_EXPIRED and, where its branch has moved, E_UNDO_MOVED.
 */
export async function applyRestore(
  repository: Repository,
  record: InvocationRecord,
  journal: RestoreJournal,
): Promise<string[]> {
  proveBoth(repository, record)
  const kept = await readKeptState(repository, journal.to)
  const applying: Applying = { repository, record, journal, kept }
  repository.effects.onStep('set aside what stands in the way')
  setAside(asideOf(applying, journal.operation.operation_id), journal.in_the_way)
  await writeFilesAndIndex(applying)
  repository.effects.onStep('move its branch')
  await moveRefs(repository, journal.operation.refs)
  repository.effects.onStep('set its HEAD')
  const notes = await setHead(applying)
  repository.effects.onStep('end what git had in progress')
  endStatesInProgress(record.git_dir, journal.operation.operation_id)
  if (journal.bring_back !== null) resumeStatesInProgress(record.git_dir, journal.bring_back)
  repository.effects.onStep('mark the tree')
  const marked = writeMarker(record.sandbox_path, SANDBOX_MARKER)
  return marked ? notes : [...notes, 'its .agency is no directory: no marker']
}

/** Tree and git directory, as the record names them: agents can write records. */
function proveBoth(repository: Repository, record: InvocationRecord): void {
  const tree = sandboxTree(repository, record)
  if (proveOurs(repository, tree) === 'gone') throw notOurs(tree.tree_path, 'nothing lies there')
  if (!isGitDirOf(repository.git.commonDir, tree)) {
    throw notOurs(tree.git_dir, 'it is not the git directory of that sandbox')
  }
}

const asideOf = ({ repository, record }: Applying, operation: string) => ({
  root: record.sandbox_path,
  dir: join(repository.paths.invocation(record.invocation_id).setAside, operation),
})

const FILL = [...PRIVATE_INDEX, '-c', 'checkout.workers=2'] as const

/** In a git directory of our own, so that nothing is read which the agent may have planted in its own. */
async function writeFilesAndIndex(applying: Applying): Promise<void> {
  const { repository, record, journal, kept } = applying
  const request = {
    git: repository.git,
    where: { tree_path: record.sandbox_path, git_dir: record.git_dir },
    scratchDir: repository.paths.invocation(record.invocation_id).sandboxDir,
    head: journal.to,
  }
  await withScratchIndex(request, async ({ git, dir }) => {
    const nested = await mirrorTree(git, applying)
    await writeFiles(git, applying)
    if (journal.bring_back !== null) {
      repository.effects.onStep('bring back what was set aside')
      bringBack(asideOf(applying, journal.bring_back))
    }
    await git.run([...FILL, 'read-tree', '--reset', kept.index_tree ?? `${kept.head}^{tree}`])
    if (nested.length > 0) await unflag(git, nested)
    repository.effects.onStep('put the index in place')
    const next = nextIndex(record.git_dir)
    if (lstatIfThere(next) !== null) renameSync(next, join(dir, 'stale-index'))
    copyIndex(join(dir, 'index'), next)
    renameSync(next, join(record.git_dir, 'index'))
  })
}

/**
 * The private index comes to say what lies in the tree, so that git takes away exactly what it has to. What the agent's
 * own index knows of file times is kept: nothing that has not changed is read or written again. Raw paths of nested
 * repositories.
 */
async function mirrorTree(git: Git, { record, journal }: Applying): Promise<string[]> {
  const { from, left } = journal
  await git.run([...FILL, 'read-tree', '--reset', `${from}^{tree}`])
  const nested = await settleOddities(git, record.sandbox_path)
  await setEntries(
    git,
    left.map((path) => removal({ path, object: from })),
  )
  await git.run([...FILL, 'update-index', '-q', '--ignore-submodules', '--refresh'], { answers: [1] })
  return nested
}

async function writeFiles(git: Git, { repository, journal }: Applying): Promise<void> {
  const { effects, paths } = repository
  const writer = await git.prepare([...FILL, 'read-tree', '--reset', '-u', `${journal.to}^{tree}`])
  try {
    const identity = effects.processes.identityOf(writer.pid)
    const writers = identity === null ? journal.writers : [...journal.writers, identity]
    await writeRestoreJournal(paths, { ...journal, writers })
    effects.onStep('write the files')
    await writer.start()
  } finally {
    writer.abandon()
  }
}

/** Entries for nested repositories were frozen, so that git did not look into them. */
async function unflag(git: Git, nested: readonly string[]): Promise<void> {
  const input = rawInput(nested)
  const args = [...PRIVATE_INDEX, 'update-index', '--no-skip-worktree', '-z', '--stdin']
  await git.run(args, { input, answers: [128] })
}

/** On the branch it was on, where that is what it was; detached at the same commit otherwise. */
async function setHead({ repository, record, kept }: Applying): Promise<string[]> {
  const path = join(record.git_dir, 'HEAD')
  const tip = kept.head_ref === null ? null : await readTip(repository.git.store, kept.head_ref)
  if (kept.head_ref !== null && tip === (kept.unborn ? null : kept.head)) {
    await writeAtomic(path, `ref: ${kept.head_ref}\n`)
    return []
  }
  await writeAtomic(path, `${kept.head}\n`)
  if (kept.head_ref === null) return []
  return [`${kept.head_ref} is no longer where it was, so HEAD is detached at ${kept.head}`]
}
