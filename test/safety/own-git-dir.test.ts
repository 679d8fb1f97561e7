// An agent can write whatever it likes into its tree's own git directory. That goes to the trash and comes back as it is:
// nothing is followed, and nothing of the person's is written.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { openChangeset } from '../../src/core/changesets/open-changeset.ts'
import { packGitDir } from '../../src/core/changesets/worktree/remove/packed-git-dir.ts'
import { showPath } from '../../src/core/model/sandbox-path.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { keepSandbox, keptCommits } from '../../src/core/operations/sandboxes/close-sandbox.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { finishClosing } from '../../src/core/operations/sandboxes/finish-closing.ts'
import { restoreSandbox } from '../../src/core/operations/sandboxes/restore-sandbox.ts'
import { readInvocation, updateInvocation } from '../../src/core/store/invocations.ts'
import { git } from '../support/git/repository.ts'
import { treeManifest } from '../support/git/tree-manifest.ts'
import { sample } from '../support/run/sampled.ts'
import { makeSandbox, makeScene, type Scene, shell } from '../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

const discard = ({ repository, record }: Scene) =>
  discardInvocation(repository, readInvocation(repository.paths, record.invocation_id), never)

const gitDirOf = (tree: string): string => git(tree, 'rev-parse', '--absolute-git-dir')

/** A directory of the person's, outside of everything. */
function makeOutside({ root }: Scene): string {
  const outside = join(root, '..', 'outside')
  mkdirSync(join(outside, 'lib'), { recursive: true })
  writeFileSync(join(outside, 'precious'), 'precious\n')
  writeFileSync(join(outside, 'lib/.git'), 'gitdir: elsewhere\n')
  return outside
}

const REBASE =
  'echo b > b; git add b; git commit -qm b; GIT_SEQUENCE_EDITOR="sed -i 1abreak" git rebase -q -i HEAD~1'

describe('what an agent has put into its own git directory', () => {
  it.each<[string, (gitDir: string, outside: string) => void, readonly string[]]>([
    ['a link for modules', (dir, outside) => symlinkSync(outside, join(dir, 'modules')), ['modules']],
    [
      'a link for refs/worktree',
      (dir, outside) => {
        mkdirSync(join(dir, 'refs'), { recursive: true })
        symlinkSync(outside, join(dir, 'refs/worktree'))
      },
      ['refs/worktree'],
    ],
    [
      'links for notes',
      (dir, outside) => {
        for (const name of ['MERGE_HEAD', 'info']) symlinkSync(join(outside, 'precious'), join(dir, name))
      },
      ['MERGE_HEAD', 'info'],
    ],
    [
      'pipes for notes',
      (dir) => {
        shell(dir, 'mkfifo MERGE_HEAD modules rebase-apply')
      },
      ['MERGE_HEAD', 'modules'],
    ],
    [
      'a link for the index',
      (dir, outside) => {
        rmSync(join(dir, 'index'))
        symlinkSync(join(outside, 'precious'), join(dir, 'index'))
        writeFileSync(join(dir, 'own'), 'own\n')
      },
      ['own'],
    ],
    [
      'a submodule whose settings lead outside',
      (dir, outside) => {
        const module = join(dir, 'modules/lib')
        mkdirSync(module, { recursive: true })
        writeFileSync(join(module, 'HEAD'), 'ref: refs/heads/main\n')
        writeFileSync(join(module, 'config'), `[core]\n\tworktree = ${join(outside, 'lib')}\n`)
        writeFileSync(join(outside, 'lib/.git'), `gitdir: ${dirname(dir)}/other/modules/lib\n`)
      },
      ['modules/lib/config'],
    ],
    [
      'no permission to write',
      (dir) => {
        writeFileSync(join(dir, 'own'), 'own\n')
        chmodSync(dir, 0o555)
      },
      ['own'],
    ],
  ])('comes back as it is, and is not followed: %s', async (_, plant, names) => {
    const scene = await makeScene({ a: 'a\n' })
    const outside = makeOutside(scene)
    shell(scene.tree, 'echo b > b; git add b; git commit -qm b; echo c > c')
    plant(gitDirOf(scene.tree), outside)
    const gitDir = gitDirOf(scene.tree)
    const before = { outside: treeManifest(outside), kinds: kindsOf(gitDir, names) }
    await discard(scene)
    expect(existsSync(gitDir)).toBe(false)
    await undoLast(scene.repository)
    const after = gitDirOf(scene.tree)
    expect({ outside: treeManifest(outside), kinds: kindsOf(after, names) }).toEqual(before)
    expect(lstatSync(join(after, 'index')).isFile()).toBe(true)
    for (const name of names) rmSync(join(after, name), { recursive: true })
    expect(git(scene.tree, 'status', '--short')).toBe('?? c')
  })

  sample(it).each([
    [
      'a directory',
      (path: string) => {
        mkdirSync(path)
        writeFileSync(join(path, 'HEAD'), 'planted\n')
      },
    ],
    ['a link', (path: string) => symlinkSync('/', path)],
    ['a file', (path: string) => writeFileSync(path, 'planted\n')],
  ])('is not mistaken for what lies in its place in the tree: %s', async (_, plant) => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, REBASE)
    plant(join(scene.tree, '.agency/git-dir'))
    const head = readFileSync(join(gitDirOf(scene.tree), 'HEAD'), 'utf8')
    await discard(scene)
    await undoLast(scene.repository)
    expect(readFileSync(join(gitDirOf(scene.tree), 'HEAD'), 'utf8')).toBe(head)
    shell(scene.tree, 'git rebase --continue')
  })
})

function kindsOf(gitDir: string, names: readonly string[]) {
  return names.map((name) => {
    const found = lstatSync(join(gitDir, name))
    return [name, found.isSymbolicLink(), found.isFIFO(), found.isFile()]
  })
}

test('a discard that was killed with the git directory packed up is finished, though another tree has its name by now', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record, worktree } = scene
  shell(scene.tree, REBASE)
  const capture = await openChangeset(repository, record).capture()
  const refs = await keepSandbox(repository, { record, capture })
  const closed = await updateInvocation(repository.paths, record.invocation_id, {
    landing_status: 'discarded',
  })
  const git_dir = gitDirOf(scene.tree)
  packGitDir(repository.git.commonDir, { tree_path: scene.tree, git_dir })
  const other = await makeSandbox(repository, worktree)
  expect(showPath(other.git_dir)).toBe(git_dir)
  await finishClosing(repository, closed)
  expect(existsSync(scene.tree)).toBe(false)
  const commit = keptCommits(refs).get(record.invocation_id)
  if (commit === undefined) throw new Error('nothing was kept')
  await restoreSandbox(repository, closed, commit)
  shell(scene.tree, 'git rebase --continue')
  expect(git(showPath(other.sandbox_path), 'status', '--short')).toBe('')
})
