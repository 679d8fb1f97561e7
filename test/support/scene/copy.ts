// A scene whose sandbox is a copy, whatever kind the tests run with.

import { changesetKind, openChangeset } from '../../../src/core/changesets/open-changeset.ts'
import { inSteps } from '../../../src/core/doors/steps.ts'
import { landInvocation } from '../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../src/core/operations/sandboxes/discard-invocation.ts'
import { updateInvocation } from '../../../src/core/store/invocations.ts'
import { git } from '../git/repository.ts'
import { makeScene, type Scene } from './sandbox.ts'

/** Makes the scene's sandbox anew, as a copy. */
export const makeCopy = async (files: Readonly<Record<string, string>> = { a: 'a\n' }): Promise<Scene> =>
  asCopy(await makeScene(files))

/** Makes the sandbox anew, as a copy. The person's repository gets a tag and a remote. */
export async function asCopy(scene: Scene): Promise<Scene> {
  const { repository, record, root } = scene
  git(root, 'tag', '-a', 'v1', '-m', 'One')
  git(root, 'remote', 'add', 'origin', '/nowhere')
  await openChangeset(repository, record).remove(Date.now())
  git(scene.root, 'branch', '-q', '-D', record.sandbox_branch)
  const { invocation_id: id, base_commit: start, sandbox_branch: branch } = record
  const location = await inSteps(repository.effects, async (step) => {
    const wanted = { id, branch, start, state: null, likely: null }
    const { filling, ...made } = await changesetKind({ changeset: 'copy' }).make(repository, wanted, step)
    await filling.ended
    return made
  })
  const environment = { ...record.environment, changeset: 'copy' }
  return { ...scene, record: await updateInvocation(repository.paths, id, { ...location, environment }) }
}

export const openCopy = ({ repository, record }: Scene) => openChangeset(repository, record)
export const landCopy = ({ repository, record }: Scene, apply = true) =>
  landInvocation(repository, record, { apply })
export const discardCopy = ({ repository, record }: Scene) =>
  discardInvocation(repository, record, async (ended) => ended)
