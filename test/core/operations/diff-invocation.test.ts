import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SandboxDiff } from '../../../src/core/model/change.ts'
import { diffInvocation } from '../../../src/core/operations/diff-invocation.ts'
import { commitAll, git, makeScratch, writeFiles } from '../../support/repository.ts'
import { makeScene, type Scene } from '../../support/sandbox.ts'

const FILES = {
  'a.txt': 'one\ntwo\nthree\n',
  'gone.txt': 'bye\n',
  'run.sh': '#!/bin/sh\n',
  'old name.txt': 'same\n'.repeat(9),
}

const diff = (scene: Scene): Promise<SandboxDiff> =>
  diffInvocation(scene.repository, scene.record, { patch: true })

/** One change of every kind: some committed, some not. */
function changeEverything(tree: string): void {
  writeFiles(tree, { 'a.txt': 'one\n2\nthree\n' })
  commitAll(tree, 'Change a line')
  writeFileSync(join(tree, 'latin1.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  writeFileSync(join(tree, 'binary.dat'), Buffer.from([0, 1, 2, 255, 0, 10, 13]))
  writeFiles(tree, { 'new\nline "quoted".txt': 'odd\r\nname' })
  renameSync(join(tree, 'old name.txt'), join(tree, 'new name.txt'))
  rmSync(join(tree, 'gone.txt'))
  chmodSync(join(tree, 'run.sh'), 0o755)
  mkdirSync(join(tree, 'dir'))
  symlinkSync('../a.txt', join(tree, 'dir', 'link'))
}

describe('the diff of a sandbox', () => {
  test('lists commits, uncommitted, untracked, deleted, renamed, binary and mode changes', async () => {
    const scene = await makeScene(FILES)
    changeEverything(scene.tree)
    const { commits, files, dirty } = await diff(scene)
    expect(commits).toMatchObject([{ subject: 'Change a line' }])
    expect(dirty).toBe(true)
    expect(files.map(({ kind, path, uncommitted, binary }) => ({ kind, path, uncommitted, binary }))).toEqual(
      [
        { kind: 'modified', path: 'a.txt', uncommitted: false, binary: false },
        { kind: 'added', path: 'binary.dat', uncommitted: true, binary: true },
        { kind: 'added', path: 'dir/link', uncommitted: true, binary: false },
        { kind: 'deleted', path: 'gone.txt', uncommitted: true, binary: false },
        { kind: 'added', path: 'latin1.txt', uncommitted: true, binary: false },
        { kind: 'added', path: 'new\nline "quoted".txt', uncommitted: true, binary: false },
        { kind: 'renamed', path: 'new name.txt', uncommitted: true, binary: false },
        { kind: 'modified', path: 'run.sh', uncommitted: true, binary: false },
      ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    )
  })

  test('has a patch that gives the same tree, byte for byte, wherever it is applied', async () => {
    const scene = await makeScene(FILES)
    changeEverything(scene.tree)
    const { patch, state_tree, base } = await diff(scene)
    const copy = join(makeScratch(), 'copy')
    git(scene.root, 'worktree', 'add', '-q', '--detach', copy, base)
    execFileSync('git', ['apply', '--index', '--whitespace=nowarn'], { cwd: copy, input: patch })
    expect(git(copy, 'write-tree')).toBe(state_tree)
  })

  test('does not depend on the configuration of the person or of the agent', async () => {
    const scene = await makeScene(FILES)
    changeEverything(scene.tree)
    const before = await diff(scene)
    for (const setting of [
      'diff.noprefix',
      'diff.mnemonicPrefix',
      'color.ui=always',
      'diff.renames=false',
      'diff.context=0',
    ]) {
      const [key = '', value = 'true'] = setting.split('=')
      git(scene.tree, 'config', key, value)
      git(scene.tree, 'config', '--global', key, value)
    }
    writeFiles(scene.tree, { '.git-ignored': '' })
    rmSync(join(scene.tree, '.git-ignored'))
    expect(Buffer.from((await diff(scene)).patch).equals(Buffer.from(before.patch))).toBe(true)
  })

  test('of a sandbox that changed nothing is empty and clean', async () => {
    const scene = await makeScene(FILES)
    expect(await diff(scene)).toMatchObject({ commits: [], files: [], dirty: false, incomplete: [] })
  })
})
