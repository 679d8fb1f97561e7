import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forecastLanding } from '../../../../src/core/operations/landing/forecast-landing.ts'
import { diffInvocation } from '../../../../src/core/operations/sandboxes/diff-invocation.ts'
import { readWorktree } from '../../../../src/core/store/worktrees.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { makeScene, type Scene, SHARES_REPOSITORY, shell } from '../../../support/scene/sandbox.ts'

const forecast = (scene: Scene) => forecastLanding(scene.repository, scene.record)

/** Every object and ref of the repository. */
const everything = ({ root }: Scene): string[] => [
  git(root, 'cat-file', '--batch-all-objects', '--batch-check', '--unordered').split('\n').sort().join('\n'),
  git(root, 'for-each-ref'),
]

describe('the forecast of a landing', () => {
  test('is clean where the work fits, and says how it would land', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'echo b > b; git add b; git commit -qm B')
    expect(await forecast(scene)).toEqual({ kind: 'clean', manner: 'fast_forward', commits: 1 })
  })

  test('counts uncommitted work as one more commit', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'echo b > b; git add b; git commit -qm B; echo loose > loose')
    expect(await forecast(scene)).toMatchObject({ kind: 'clean', commits: 2 })
  })

  test('names the files that conflict with what came onto the branch since', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n' })
    shell(scene.tree, 'echo agent > a; echo agent > b; git commit -qam Agent')
    writeFiles(scene.worktree.tree_path, { a: 'person\n' })
    commitAll(scene.worktree.tree_path, 'Person')
    expect(await forecast(scene)).toEqual({ kind: 'conflict', files: ['a'] })
  })

  test('knows that there is nothing to land', async () => {
    expect(await forecast(await makeScene())).toEqual({ kind: 'nothing' })
  })

  test("says what of the person's own would be overwritten", async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'echo b > b; git add b; git commit -qm B')
    writeFileSync(join(scene.worktree.tree_path, 'b'), 'mine')
    expect(await forecast(scene)).toMatchObject({ kind: 'refused', code: 'E_WOULD_OVERWRITE' })
  })

  test.skipIf(!SHARES_REPOSITORY)('says that the branch was moved by somebody else', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(
      scene.tree,
      `echo b > b; git add b; git commit -qm B; git update-ref refs/heads/${scene.worktree.branch} HEAD`,
    )
    expect(await forecast(scene)).toMatchObject({ kind: 'refused', code: 'E_BRANCH_MOVED' })
  })

  test('throws where the sandbox is gone', async () => {
    const scene = await makeScene()
    shell(scene.tree, 'rm -rf "$PWD"')
    await expect(forecast(scene)).rejects.toMatchObject({ code: 'E_INVOCATION_BROKEN' })
  })

  test('leaves no object, no ref and no file behind, and neither does the draft of a diff', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n' })
    shell(scene.tree, 'echo agent > b; git commit -qam Agent; echo loose > loose')
    writeFiles(scene.worktree.tree_path, { a: 'person\n' })
    commitAll(scene.worktree.tree_path, 'Person')
    const before = everything(scene)
    expect(await forecast(scene)).toEqual({ kind: 'clean', manner: 'commits', commits: 2 })
    const draft = await diffInvocation(scene.repository, scene.record, { patch: false, draft: true })
    expect(draft.files.map(({ path }) => path)).toEqual(['b', 'loose'])
    expect(everything(scene)).toEqual(before)
    expect(readWorktree(scene.repository.paths, scene.worktree.worktree_id)).toEqual(scene.worktree)
    expect(shell(scene.repository.paths.dir, 'ls')).not.toMatch(/drafts-|commits-|trees-/)
  })
})
