// The scene's sandbox as a copy: with a repository of its own.

import { changesetKind, openChangeset } from '../../../src/core/changesets/open-changeset.ts'
import { inSteps } from '../../../src/core/doors/steps.ts'
import { updateInvocation } from '../../../src/core/store/invocations.ts'
import { git } from '../git/repository.ts'
import { makeScene, type Scene } from './sandbox.ts'

/** Makes the scene's sandbox anew, as a copy. */
export async function makeCopy(files: Readonly<Record<string, string>> = { a: 'a\n' }): Promise<Scene> {
  const scene = await makeScene(files)
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
