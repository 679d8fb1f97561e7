// Makes a sandbox's tree in steps, each with its way back: registers it with git, marks it, fills it. The files are
// written while the steps after it go on.

import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Begun, beginStep, type RunStep } from '../../../doors/steps.ts'
import { speakOurErrors } from '../../../doors/system/files.ts'
import { SANDBOX_MARKER } from '../../../model/markers.ts'
import { sandboxPath } from '../../../model/sandbox-path.ts'
import type { Repository } from '../../../store/repository.ts'
import type { MadeChangeset, NewChangeset } from '../../changeset.ts'
import { knownPath } from '../../location.ts'
import { checkTreePath } from '../proof/check-tree-path.ts'
import { writeMarker } from '../proof/marker.ts'
import { putBackVerbatim } from '../restore/put-back-verbatim.ts'
import { pathsOf, readVerbatim } from '../restore/read-verbatim.ts'
import { checkOutTree, type Halving, halveCommit } from './check-out-tree.ts'
import { noteTimesAnew, stage, writeAll } from './fill-tree.ts'
import { stampFilled } from './filled-stamp.ts'

/** How git comes to know of a new tree, with no file checked out. */
export interface Registration {
  /** Returns the tree's git directory. */
  register(treePath: string): Promise<string>
  /** Takes it back, whole or half done. */
  unregister(treePath: string): Promise<void>
}

export interface SandboxOrder {
  readonly wanted: NewChangeset
  readonly registration: Registration
}

export async function makeSandbox(
  repository: Repository,
  { wanted, registration }: SandboxOrder,
  step: RunStep,
): Promise<MadeChangeset> {
  const { git, paths } = repository
  const at = paths.invocation(wanted.id)
  const tree_path = knownPath(at.tree)
  checkTreePath(repository, tree_path)
  const adding = await beginStep(step, {
    name: 'add the sandbox worktree',
    run: () => registration.register(tree_path),
    undo: async () => {
      await registration.unregister(tree_path)
      rmSync(at.sandboxDir, { recursive: true, force: true })
    },
  })
  const checkOut = {
    commit: wanted.start,
    scratchDir: paths.dir,
    ...(wanted.likely === null ? {} : { likely: wanted.likely }),
  }
  const halving = await beginStep(step, {
    name: 'prepare the check-out',
    run: async () => (wanted.state === null ? halveCommit(git, checkOut) : null),
  })
  const git_dir = await adding.ended
  await step({
    name: 'write the sandbox marker',
    run: () => speakOurErrors(tree_path, async () => writeMarker(tree_path, SANDBOX_MARKER)),
  })
  const where = { tree_path, git_dir }
  const filling: Begun<void> = await beginStep(step, {
    name: 'fill the sandbox',
    run: () => fillSandbox(repository, { where, wanted, checkOut: { ...checkOut, halving: halving.ended } }),
  })
  return { sandbox_path: sandboxPath(tree_path), git_dir: sandboxPath(git_dir), filling }
}

interface EmptySandbox {
  readonly where: { readonly tree_path: string; readonly git_dir: string }
  readonly wanted: NewChangeset
  readonly checkOut: {
    readonly commit: NewChangeset['start']
    readonly scratchDir: string
    readonly halving: Halving
  }
}

/** Writes the files of its commit, or of the kept state. If it rejects, nobody is writing there any more. */
async function fillSandbox({ git }: Repository, { where, wanted, checkOut }: EmptySandbox): Promise<void> {
  const { state } = wanted
  if (state === null) {
    await checkOutTree(git, where, checkOut)
    stampFilled(where.tree_path)
    return
  }
  const tree = git.tree(where)
  await writeAll(tree, `${state.commit}^{tree}`)
  stampFilled(where.tree_path)
  const place = { store: git.store, tree: where.tree_path, scratchDir: dirname(where.tree_path) }
  const parts = await readVerbatim(git.store, state.kept)
  await putBackVerbatim(place, parts)
  const index = state.kept.index_tree ?? `${state.kept.head}^{tree}`
  await stage(tree, index)
  if (state.kept.verbatim_tree !== undefined)
    await noteTimesAnew(tree, { store: git.store, index, paths: pathsOf(parts) })
}
