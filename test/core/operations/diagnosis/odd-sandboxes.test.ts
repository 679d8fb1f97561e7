// Records that lead to no sandbox that this version can open. They are said, and keep nobody from dealing with the others.

import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCAL_ENVIRONMENT } from '../../../../src/core/model/environment.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { SANDBOX_MARKER } from '../../../../src/core/model/markers.ts'
import { sandboxPath } from '../../../../src/core/model/sandbox-path.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { listInvocations } from '../../../../src/core/operations/invocations/known-invocations.ts'
import { viewInvocation } from '../../../../src/core/operations/invocations/view-invocations.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { makeSandbox, makeScene, type Scene } from '../../../support/scene/sandbox.ts'

const OF_A_LATER_VERSION = { ...LOCAL_ENVIRONMENT, changeset: 'hologram' }

/** The sandbox beside the one of the scene has lost its marker, which doctor can mend. */
async function makeOdd(
  change: Partial<InvocationRecord>,
): Promise<Scene & { readonly other: InvocationRecord }> {
  const scene = await makeScene()
  const other = await makeSandbox(scene.repository, scene.worktree)
  rmSync(`${String(other.sandbox_path)}/${SANDBOX_MARKER}`)
  const record = await updateInvocation(scene.repository.paths, scene.record.invocation_id, change)
  return { ...scene, record, other }
}

const collect = ({ repository }: Scene, dry_run: boolean) =>
  collectGarbage(repository, { keep_days: 14, dry_run })

test('a sandbox of a kind that this version does not know is out of reach, and neither gone nor broken', async () => {
  const { repository, record } = await makeOdd({ environment: OF_A_LATER_VERSION })
  const { invocations, broken } = listInvocations(repository.paths)
  expect(broken).toEqual([])
  expect(invocations.map(({ invocation_id }) => invocation_id)).toContain(record.invocation_id)
  const view = viewInvocation(repository, record, { worktree: null, stalled_after: 60 })
  expect(view.path).toBeNull()
})

test.each([
  ['of an unknown kind', { environment: OF_A_LATER_VERSION }, 'out of reach'],
  ['with a git directory that is not its own', { git_dir: sandboxPath('/tmp') }, '/tmp'],
])('doctor names a sandbox %s, and mends the others', async (_, change, said) => {
  const scene = await makeOdd(change)
  const { findings, fixed } = await diagnose(scene.repository, { fix: true })
  const about = findings.filter(({ subject }) => subject.includes(scene.record.invocation_id))
  expect(about.map(({ message }) => message)).toEqual([expect.stringContaining(said)])
  expect(fixed).toEqual([`marked the sandbox of ${scene.other.invocation_id} again`])
})

test.each([
  ['of an unknown kind', { environment: OF_A_LATER_VERSION }],
  ['with a git directory that is not its own', { git_dir: sandboxPath('/tmp') }],
])('gc goes on beside a closed sandbox %s, and leaves it', async (_, change) => {
  const closed = { landing_status: 'discarded', status: 'finished' } as const
  const scene = await makeOdd({ ...change, ...closed })
  await updateInvocation(scene.repository.paths, scene.other.invocation_id, closed)
  const dry = await collect(scene, true)
  expect(dry.deleted_paths).toContain(String(scene.other.sandbox_path))
  const { deleted_paths } = await collect(scene, false)
  expect(deleted_paths).toEqual([String(scene.other.sandbox_path)])
})
