// A branch of a worktree's that is no longer there under its name: doctor says so and what to type, and typing it helps.

import { expect, test } from 'vitest'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { makeDesk } from '../../../support/processes/cli.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const problemsOf = async ({ repository }: Scene) =>
  (await diagnose(repository)).findings.filter(({ level }) => level === 'problem')

test.each([
  ['renamed', 'git branch -m renamed'],
  ['renamed, with all refs packed', 'git branch -m renamed; git pack-refs --all'],
  ['renamed to a name that a shell would split', `git branch -m 'it;"$HOME"'`],
  ['deleted below its own tree', 'git update-ref -d HEAD'],
  [
    'deleted while its tree was elsewhere',
    'b=$(git branch --show-current); git switch -qd; git branch -qD "$b"',
  ],
])('a branch that was %s', async (_, script) => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, worktree } = scene
  shell(worktree.tree_path, script)
  await diagnose(repository, { fix: true })
  const [found] = await problemsOf(scene)
  expect(found?.message).toContain(`its branch ${worktree.branch} is gone`)
  const [, command = 'false'] = /: (git .*)$/.exec(found?.remedy ?? '') ?? []
  shell(scene.root, command)
  expect(await problemsOf(scene)).toEqual([])
})

test('no agent is started without the branch that its work would be landed on', async () => {
  const desk = makeDesk()
  const { tree_path } = await desk.worktree('one')
  shell(tree_path, 'git branch -m renamed')
  const { stderr } = await desk.run([
    'agent',
    'start',
    '--worktree',
    'one',
    '--runner',
    'shell',
    '--detached',
  ])
  expect(stderr).toContain('error_code: E_BRANCH_NOT_FOUND')
  expect(stderr).toContain('agency doctor')
})
