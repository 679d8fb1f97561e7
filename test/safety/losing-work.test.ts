// Agency loses nothing that an agent made, whatever lies in its tree.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { git } from '../support/git/repository.ts'
import { makeDesk } from '../support/processes/cli.ts'
import { makeScene, shell } from '../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

describe('verbs at the same time in processes of their own', () => {
  it('leave every piece of work on the branch, in its sandbox or kept, and the repository whole', async () => {
    const desk = makeDesk()
    const worktree = await desk.worktree('one')
    const work = [0, 1, 2, 3]
    const agents = await Promise.all(
      work.map((n) =>
        desk.start(
          'one',
          `echo work-${n} > file-${n}; git add .; git commit -qm ${n}; echo late-${n} > late-${n}`,
        ),
      ),
    )
    const ids = agents.map(({ invocation_id }) => invocation_id)
    await desk.run(['agent', 'wait', ...ids])
    const [a = '', b = '', c = '', d = ''] = ids
    const ran = await Promise.all(
      [
        ['agent', 'land', a, '--apply'],
        ['agent', 'land', a, '--apply'],
        ['agent', 'land', b, '--apply'],
        ['undo'],
        ['agent', 'discard', c],
        ['gc'],
        ['worktree', 'rm', 'one', '--force'],
        ['agent', 'discard', d],
        ['undo'],
        ['redo'],
      ].map((verb) => desk.run([...verb, '--json'])),
    )
    const codes = ran.map(({ stdout }) => JSON.parse(stdout).error?.code ?? 'ok')
    expect(codes.filter((code) => ['E_INTERNAL', 'E_GIT_FAILED', 'E_LOCKED'].includes(code))).toEqual([])
    git(desk.root, 'fsck', '--connectivity-only')
    const refs = git(desk.root, 'for-each-ref', '--format=%(refname)').split('\n')
    for (const [n, agent] of agents.entries()) {
      for (const file of [`file-${n}`, `late-${n}`]) {
        const kept = refs.some((ref) => git(desk.root, 'ls-tree', '--name-only', ref, file) !== '')
        const there = [showPath(agent.sandbox_path), worktree.tree_path].some((tree) =>
          existsSync(join(tree, file)),
        )
        expect({ file, safe: kept || there, codes }).toMatchObject({ file, safe: true })
      }
    }
  })
})

describe('a nested repository', () => {
  it.each([
    ['is to be ignored', 'ignore = all'],
    ['is to be updated by a program', 'update = !touch canary'],
    ['is nonsense', 'ignore = [nonsense'],
  ])('is kept whole where .gitmodules says that it %s', async (_, line) => {
    const scene = await makeScene()
    shell(
      scene.tree,
      'git init -q nested; echo x > nested/x; git -C nested add x; git -C nested commit -qm x; echo y > nested/y',
    )
    writeFileSync(
      join(scene.tree, '.gitmodules'),
      `[submodule "nested"]\n\tpath = nested\n\turl = ./x\n\t${line}\n`,
    )
    const { notes } = await discardInvocation(scene.repository, scene.record, never)
    expect(notes.join()).toContain('nested')
    await undoLast(scene.repository)
    for (const file of ['.git/HEAD', 'x', 'y'])
      expect(existsSync(join(scene.tree, 'nested', file))).toBe(true)
  })
})
