// Kills a verb at its steps, for real, and checks what has to hold then.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { InvocationRecord } from '../../../src/core/model/invocation.ts'
import { redoLast } from '../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../src/core/operations/history/undo-operation.ts'
import { removeWorktree } from '../../../src/core/operations/integration/remove-worktree.ts'
import { discardInvocation } from '../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../src/core/store/invocations.ts'
import { readWorktree } from '../../../src/core/store/worktrees.ts'
import { git } from '../git/repository.ts'
import { treeManifest } from '../git/tree-manifest.ts'
import { UNFINISHED } from '../git/unfinished.ts'
import { bundleProgram } from '../run/bundle.ts'
import { branchesOf, makeScene, type Scene, shell } from '../scene/sandbox.ts'
import { GIT, makeSubmoduleScene } from '../scene/submodules.ts'
import { sweepSteps } from './sweep-steps.ts'

const program = await bundleProgram('test/support/kills/verb-process.ts')

type Verb = 'discard' | 'remove' | 'undo' | 'redo'

/** True if the verb was killed at that step; false if it has fewer steps and finished. */
export function killAt(scene: Scene, verb: Verb, step: number): boolean {
  const id = verb === 'remove' ? scene.worktree.worktree_id : scene.record.invocation_id
  const { effects, record } = scene.repository
  const ended = spawnSync('node', [program, effects.dataDir, record.root, verb, id, String(step)], {
    encoding: 'utf8',
  })
  if (ended.signal === null && ended.status !== 0) throw new Error(ended.stderr)
  return ended.signal === 'SIGKILL'
}

const noneRuns = async (record: InvocationRecord): Promise<InvocationRecord> => record

export async function runVerb(scene: Scene, verb: Verb): Promise<void> {
  const { repository, record, worktree } = scene
  const { paths } = repository
  const rest = {
    undo: () => undoLast(repository),
    redo: () => redoLast(repository),
    discard: () => discardInvocation(repository, readInvocation(paths, record.invocation_id), noneRuns),
    remove: () =>
      removeWorktree(repository, readWorktree(paths, worktree.worktree_id), {
        force: true,
        end: noneRuns,
        progress: () => {},
      }),
  }
  await rest[verb]()
}

/** A verb that was killed after its last record has nothing left to do, and ends in one of these. */
const done = /E_(NOTHING_TO_(UNDO|REDO)|INVOCATION_CLOSED|WORKTREE_ARCHIVED)/

async function finish(scene: Scene, verb: Verb): Promise<void> {
  await runVerb(scene, verb).catch((error: unknown) => {
    if (!done.test(String((error as { code?: string }).code))) throw error
  })
}

const treesOf = ({ sandbox, integration }: ReturnType<typeof picture>) => ({ sandbox, integration })

export const picture = (scene: Scene) => {
  const { tree, worktree } = scene
  return {
    sandbox: existsSync(tree)
      ? [treeManifest(tree, new Set(['x.log'])), git(tree, 'status', '--short'), ...unfinishedIn(tree)]
      : null,
    integration: existsSync(worktree.tree_path)
      ? [
          treeManifest(worktree.tree_path),
          git(worktree.tree_path, 'status', '--short'),
          ...unfinishedIn(worktree.tree_path),
        ]
      : null,
    branches: branchesOf(scene),
  }
}

/** A sandbox with every kind of work, and an integration tree with the person's own edits and ignored files. */
export async function makeBusyScene(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', b: 'b\n', '.gitignore': '*.log\n' })
  shell(scene.tree, 'echo more >> a; git commit -qam more; echo staged > s; git add s; echo new > n; rm b')
  shell(scene.worktree.tree_path, 'echo mine > mine; echo key > key.log')
  return scene
}

/** In the middle of a rebase in both trees, and with commits in a submodule that no commit of theirs names. */
export async function makeUnfinishedScene(): Promise<Scene> {
  const scene = await makeSubmoduleScene()
  for (const tree of [scene.tree, scene.worktree.tree_path]) {
    shell(tree, `${UNFINISHED[0]?.begin}; ${GIT} submodule --quiet update --init`)
    shell(join(tree, 'lib'), 'git checkout -q -b mine; echo more >> l; git commit -qam more')
  }
  return scene
}

const unfinishedIn = (tree: string): readonly unknown[] =>
  existsSync(join(tree, 'lib'))
    ? [
        git(tree, 'status')
          .split('\n')
          .filter((line) => /rebase|pick|break/.test(line)),
        git(join(tree, 'lib'), 'log', '--all', '--format=%H'),
      ]
    : []

/**
 * Kills `verb` at its steps. Finishing it and then going `back` must bring the same picture every time. Resolves to the
 * first step that the verb does not have.
 */
export async function sweep(
  scene: Scene,
  verb: Verb,
  back: (scene: Scene) => Promise<unknown>,
): Promise<number> {
  const before = picture(scene)
  await runVerb(scene, verb)
  const after = picture(scene)
  await back(scene)
  expect(picture(scene)).toEqual(before)
  for (const step of sweepSteps()) {
    const killed = killAt(scene, verb, step)
    if (killed) await finish(scene, verb)
    // A kill before the last step may leave refs that nothing needs. Undo copes with them, so only trees are compared.
    expect(treesOf(picture(scene)), `after a kill at step ${step}`).toEqual(treesOf(after))
    await back(scene)
    expect(picture(scene), `back after a kill at step ${step}`).toEqual(before)
    if (!killed) return step
  }
  throw new Error('a verb has no end')
}
