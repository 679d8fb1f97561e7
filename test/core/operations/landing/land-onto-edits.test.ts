import { existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const land = (scene: Scene) => landInvocation(scene.repository, scene.record, {})

/** A scene whose sandbox has committed what `script` did. */
async function sceneOf(files: Record<string, string>, script: string): Promise<Scene> {
  const scene = await makeScene(files)
  shell(scene.tree, `${script}\ngit add -A; git commit -qm Work`)
  return scene
}

const START = { a: 'a\n', b: 'b\n', c: 'c\n', 'd/in': 'in\n' }

describe("the person's own edits in the worktree", () => {
  test('stay, staged, unstaged and untracked, where the landing does not touch them', async () => {
    const scene = await sceneOf(START, 'echo more >> a; rm d/in; echo new > new')
    const tree = scene.worktree.tree_path
    shell(tree, 'echo staged >> b; git add b; echo unstaged >> b; echo unstaged >> c; echo mine > mine')
    shell(tree, 'echo planned > planned; git add -N planned; echo added > added; git add added')
    const before = git(tree, 'status', '--porcelain')

    await land(scene)

    expect(git(tree, 'status', '--porcelain')).toBe(before)
    expect(git(tree, 'diff', '--cached', 'b')).toContain('+staged')
    expect(readFileSync(join(tree, 'b'), 'utf8')).toBe('b\nstaged\nunstaged\n')
    expect(readFileSync(join(tree, 'a'), 'utf8')).toBe('a\nmore\n')
    expect(existsSync(join(tree, 'd'))).toBe(false)
  })

  sample(test).each([
    ['an unstaged edit', 'echo mine >> a', 'a'],
    ['a staged edit', 'echo mine >> a; git add a', 'a'],
    ['a staged edit taken back in the file', 'echo mine >> a; git add a; echo a > a', 'a'],
    ['a mode', 'chmod +x a', 'a'],
    ['a deletion', 'rm a', 'a'],
    ['a staged deletion', 'git rm -q --cached a', 'a'],
    ['an edit of a file that the landing deletes', 'echo mine >> b', 'b'],
    ['an untracked file', 'echo mine > new', 'new'],
    ['an ignored file', 'echo new > .git/info/exclude; echo mine > new', 'new'],
    ['an untracked file that is already the same', 'echo new > new', 'new'],
    ['a directory of untracked files', 'mkdir new; echo mine > new/mine', 'new'],
    ['an untracked file for a directory', 'echo mine > deep', 'deep'],
    ['a link for a directory', 'ln -s d deep', 'deep'],
    ['an untracked file in a directory that becomes a file', 'echo mine > d/mine', 'd'],
    ['an edit in a directory that becomes a file', 'echo mine >> d/in', 'd/in'],
    ['a new file staged', 'echo mine > new; git add new', 'new'],
    ['an edit hidden by assume-unchanged', 'git update-index --assume-unchanged a; echo mine > a', 'a'],
  ])('%s in the way is named, and nothing changes', async (_, edit, named) => {
    const scene = await sceneOf(
      START,
      'echo more >> a; rm b; echo new > new; mkdir deep; echo x > deep/file; rm -r d; echo file > d',
    )
    const tree = scene.worktree.tree_path
    shell(tree, edit.replace('.git/info', `${scene.root}/.git/info`).replace(/> (\/.*exclude)/, '> "$1"'))
    const state = () => [
      git(tree, 'status', '--porcelain', '--ignored'),
      git(tree, 'rev-parse', 'HEAD'),
      shell(tree, 'find . -name .git -prune -o -type f -print -exec cat {} +'),
      readFileSync(join(scene.worktree.git_dir, 'index')),
    ]
    const before = state()

    const refused = await refusal(land(scene))

    expect(refused.code).toBe('E_WOULD_OVERWRITE')
    expect(refused.details['files']).toContain(named)
    expect(state()).toEqual(before)
    expect(existsSync(join(scene.worktree.git_dir, 'index.lock'))).toBe(false)
    expect(git(scene.root, 'for-each-ref', 'refs/agency')).toBe('')
    expect(isInterrupted(scene.repository.paths)).toBe(false)
  })

  test('all files in the way are named at once', async () => {
    const scene = await sceneOf(START, 'for f in a b c; do echo more >> $f; done; echo n > n')
    shell(scene.worktree.tree_path, 'for f in a b c; do echo mine >> $f; done')
    const refused = await refusal(land(scene))
    expect(refused.details['files']).toEqual(['a', 'b', 'c'])
  })

  test('a file that was touched but not changed is no edit', async () => {
    const scene = await sceneOf(START, 'echo more >> a')
    utimesSync(join(scene.worktree.tree_path, 'a'), 1, 1)
    await land(scene)
    expect(git(scene.worktree.tree_path, 'status', '--porcelain')).toBe('')
  })

  test('an empty directory is not in the way', async () => {
    const scene = await sceneOf(START, 'echo new > new')
    shell(scene.worktree.tree_path, 'mkdir new')
    await land(scene)
    expect(readFileSync(join(scene.worktree.tree_path, 'new'), 'utf8')).toBe('new\n')
  })

  test('a commit made in the worktree since counts as the new head', async () => {
    const scene = await sceneOf(START, 'echo more >> a')
    writeFiles(scene.worktree.tree_path, { mine: 'mine\n' })
    const head = commitAll(scene.worktree.tree_path, 'Mine')
    git(scene.worktree.tree_path, 'commit', '-q', '--amend', '-m', 'Amended')
    expect(await land(scene)).toMatchObject({ from: expect.not.stringMatching(head) })
  })

  test('another git at work on the index is waited out by the person, not broken', async () => {
    const scene = await sceneOf(START, 'echo more >> a')
    writeFiles(scene.worktree.git_dir, { 'index.lock': '' })
    expect(await refusal(land(scene))).toMatchObject({ code: 'E_INTEGRATION_BUSY' })
    expect(existsSync(join(scene.worktree.git_dir, 'index.lock'))).toBe(true)
  })

  test('a tree reached through a link in its place is refused', async () => {
    const scene = await sceneOf(START, 'echo more >> a')
    const { tree_path } = scene.worktree
    shell(scene.root, `mv '${tree_path}' '${tree_path}.away'`)
    symlinkSync(`${tree_path}.away`, tree_path)
    expect(await refusal(land(scene))).toMatchObject({ code: 'E_NOT_INTEGRATION_TREE' })
  })
})
