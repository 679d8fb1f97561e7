// Nothing that an agent made is lost by agency, whatever lies in its tree.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discardInvocation } from '../../src/core/operations/discard-invocation.ts'
import { undoLast } from '../../src/core/operations/undo-operation.ts'
import { makeScene, shell } from '../support/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

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
