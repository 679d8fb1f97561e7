// A verb or an undo that is killed and not repeated: the person does something else, which writes lines after it into the
// log. What it had begun is found all the same, and undo still brings everything back.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AgencyError } from '../../../../src/core/model/errors.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { deriveStacks } from '../../../../src/core/model/operation.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import type { WorktreeRecord } from '../../../../src/core/model/worktree.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { readOperations } from '../../../../src/core/store/operations-log.ts'
import { addHalf, HALF_ADDED } from '../../../support/git/half-added.ts'
import { expectLinkedWhole } from '../../../support/git/linked-whole.ts'
import { killAt, makeBusyScene, picture, runVerb } from '../../../support/kills/kill-sweep.ts'
import { AS_SWEPT, sweepSteps } from '../../../support/kills/sweep-steps.ts'
import { sample } from '../../../support/run/sampled.ts'
import {
  type Scene as BusyScene,
  makeSandbox,
  makeWorktree,
  SHARES_REPOSITORY,
  shell,
} from '../../../support/scene/sandbox.ts'

const VERBS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  discard: (scene) => runVerb(scene, 'discard'),
  removal: (scene) => runVerb(scene, 'remove'),
  landing: ({ repository, record }) =>
    landInvocation(repository, readInvocation(repository.paths, record.invocation_id), { apply: true }),
}

interface Scene extends BusyScene {
  readonly other: WorktreeRecord
}

async function makeScene(): Promise<Scene> {
  const scene = await makeBusyScene()
  return { ...scene, other: await makeWorktree(scene.repository, 'other') }
}

/** An agent of another worktree, with a commit. */
async function makeOther({ repository, other }: Scene): Promise<InvocationRecord> {
  const record = await makeSandbox(repository, other)
  shell(
    showPath(record.sandbox_path),
    'basename "$(dirname "$PWD")" > other; git add other; git commit -qm other',
  )
  return record
}

const landOther = async (scene: Scene): Promise<unknown> =>
  landInvocation(scene.repository, await makeOther(scene), { apply: true })

const discardOther = async (scene: Scene): Promise<unknown> =>
  discardInvocation(scene.repository, await makeOther(scene), async (same) => same)

/** All that doctor can mend is mended by it at once. */
async function expectContent({ repository, root }: Scene, when: string): Promise<void> {
  await diagnose(repository, { fix: true })
  const { findings } = await diagnose(repository)
  expect(
    findings.filter(({ level }) => level === 'problem'),
    when,
  ).toEqual([])
  expectLinkedWhole(root, when)
}

const nextOf = ({ repository }: Scene): string | undefined =>
  deriveStacks(readOperations(repository.paths)).done.at(-1)?.operation_id

const treesOf = (scene: Scene) => {
  const { sandbox, integration } = picture(scene)
  return { sandbox, integration }
}

/** Undoes `operation`, unless that is undone already; others that were done after it first. */
async function undoUntil(scene: Scene, operation: string | undefined): Promise<void> {
  const { repository } = scene
  const isDone = (): boolean =>
    deriveStacks(readOperations(repository.paths)).done.some((one) => one.operation_id === operation)
  while (isDone()) {
    // A killed undo of a landing is finished by the next one, and nothing may be left to undo then.
    await undoLast(repository).catch((error: unknown) => {
      if (!(error instanceof AgencyError) || error.code !== 'E_NOTHING_TO_UNDO') throw error
    })
  }
}

const AFTER: readonly { readonly what: string; readonly other: (scene: Scene) => Promise<unknown> }[] = [
  { what: 'doctor', other: async () => {} },
  { what: 'a landing elsewhere', other: landOther },
  { what: 'a discard elsewhere', other: discardOther },
]

/** One of them after each step, by the seed of the sweep: three times as many kills would take minutes. */
async function doAfter(scene: Scene, step: number): Promise<string> {
  const after = AFTER[(step + Number(process.env['SWEEP_SEED'] ?? 0)) % AFTER.length]
  await after?.other(scene)
  return `after a kill at step ${step}, and then ${after?.what}`
}

sample(test).each(Object.keys(VERBS))(
  `an undo of a %s that was killed anywhere, and then comes something else: it can be repeated (${AS_SWEPT})`,
  async (verb) => {
    const scene = await makeScene()
    const before = treesOf(scene)
    for (const step of sweepSteps()) {
      await VERBS[verb]?.(scene)
      const done = nextOf(scene)
      const killed = killAt(scene, 'undo', step)
      const when = await doAfter(scene, step)
      await expectContent(scene, when)
      await undoUntil(scene, done)
      expect(treesOf(scene), when).toEqual(before)
      await expectContent(scene, when)
      if (!killed) return
    }
  },
)

sample(test).each(['discard', 'remove'] as const)(
  `a %s that was killed anywhere, and then comes something else: it can be undone (${AS_SWEPT})`,
  async (verb) => {
    const scene = await makeScene()
    const before = treesOf(scene)
    for (const step of sweepSteps()) {
      const last = nextOf(scene)
      const killed = killAt(scene, verb, step)
      const done = nextOf(scene)
      const when = await doAfter(scene, step)
      await expectContent(scene, when)
      if (done !== last) await undoUntil(scene, done)
      expect(treesOf(scene), when).toEqual(before)
      if (!killed) return
    }
  },
)

sample(test).each(Object.keys(VERBS))(
  `an undo of a %s that was killed anywhere is finished by repeating it, also where others came after the verb (${AS_SWEPT})`,
  async (verb) => {
    const scene = await makeScene()
    const before = treesOf(scene)
    for (const step of sweepSteps()) {
      await VERBS[verb]?.(scene)
      const done = nextOf(scene)
      await discardOther(scene)
      await undoLast(scene.repository)
      const killed = killAt(scene, 'undo', step)
      await undoUntil(scene, done)
      expect(treesOf(scene), `after a kill at step ${step}`).toEqual(before)
      await expectContent(scene, `after a kill at step ${step}`)
      if (!killed) return
    }
  },
)

/** No step of ours lies between the writes of git. */
describe.runIf(SHARES_REPOSITORY).each(['discard', 'removal'])(
  'what git has written when it is killed in the undo of a %s is cleared:',
  (verb) => {
    const makeKilled = async (last: string) => {
      const scene = await makeScene()
      const before = treesOf(scene)
      await VERBS[verb]?.(scene)
      const half = verb === 'discard' ? scene.tree : scene.worktree.tree_path
      mkdirSync(dirname(half), { recursive: true })
      writeFileSync(join(dirname(half), 'restoring'), '')
      const other = await makeOther(scene)
      return { scene, before, other, dir: addHalf(scene.repository.git.commonDir, half, last) }
    }

    sample(test).each(HALF_ADDED)('%s', async (last) => {
      const { scene, before, other, dir } = await makeKilled(last)
      const done = nextOf(scene)
      await landInvocation(scene.repository, other, { apply: true })
      await expectContent(scene, last)
      expect(existsSync(dir)).toBe(false)
      await undoUntil(scene, done)
      expect(treesOf(scene)).toEqual(before)
    })

    sample(test).each(HALF_ADDED)('%s, also by gc', async (last) => {
      const { scene, dir } = await makeKilled(last)
      const { deleted_paths } = await collectGarbage(scene.repository, { keep_days: 14, dry_run: false })
      expect(existsSync(dir), deleted_paths.join('\n')).toBe(false)
      expectLinkedWhole(scene.root, last)
    })
  },
)
