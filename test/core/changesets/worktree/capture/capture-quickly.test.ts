import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openChangeset } from '../../../../../src/core/changesets/open-changeset.ts'
import { git } from '../../../../support/git/repository.ts'
import { sample } from '../../../../support/run/sampled.ts'
import { makeScene, type Scene, shell } from '../../../../support/scene/sandbox.ts'

const FILES = {
  a: 'a\n',
  'd/b': 'b\n',
  '.gitignore': 'ignored/\n*.o\n',
  [`long-${'x'.repeat(300)}`.slice(0, 250)]: 'l\n',
}

sample(test).each([
  ['as the start left it', 'true', false],
  ['after commits', 'echo more >> a; git mv d e; git commit -qam Work', false],
  ['with ignored files', 'mkdir ignored; echo x > ignored/x; echo x > d/x.o', true],
  ['after a reset', 'echo more >> a; git reset -q --hard', false],
])('a tree that holds nothing beside HEAD is clean: %s', async (_, script, has_ignored) => {
  const scene = await makeScene(FILES)
  shell(scene.tree, script)
  expect(await openChangeset(scene.repository, scene.record).capture()).toMatchObject({
    dirty: false,
    has_ignored,
    state_tree: git(scene.tree, 'rev-parse', 'HEAD^{tree}'),
  })
})

test('a pipe whose name is ignored keeps no file from being deleted', async () => {
  const scene = await makeScene(FILES)
  shell(scene.tree, 'mkfifo d/pipe.o; echo more >> a')
  expect(await openChangeset(scene.repository, scene.record).capture()).toMatchObject({ incomplete: [] })
})

sample(test).each([
  ['an edit', 'echo more >> a'],
  ['an edit of the same size within the second of the index', 'echo b > a'],
  ['a mode', 'chmod +x a'],
  ['a deletion', 'rm a'],
  ['a new file', 'echo x > new'],
  ['a new file beside tracked ones', 'echo x > d/new'],
  ['a new file in a new directory of ignored ones', 'mkdir new; echo x > new/x.o; echo x > new/y'],
  ['something staged', 'echo more >> a; git add a'],
  ['something staged and taken back in the file', 'echo more >> a; git add a; echo a > a'],
  ['an entry that is only intended', 'echo x > new; git add -N new'],
  ['an edit hidden by assume-unchanged', 'git update-index --assume-unchanged a; echo b > a'],
  ['an edit hidden by skip-worktree', 'git update-index --skip-worktree a; echo b > a'],
  ['a nested repository', 'git init -q nested; git -C nested commit -q --allow-empty -m x'],
  ['an entry for a nested repository', 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub'],
  ['a repository put in the place of the link', 'rm .git; git init -q'],
  ['an index of another form', 'git update-index --index-version 4'],
  ['a split index', 'git update-index --split-index'],
  [
    'a damaged index',
    'head -c 200 "$(git rev-parse --git-dir)/index" > ../i; mv ../i "$(git rev-parse --git-dir)/index"',
  ],
  ['no index', 'rm "$(git rev-parse --git-dir)/index"'],
])('%s is seen, as git itself would see it', async (_, script) => {
  const scene = await makeScene(FILES)
  shell(scene.tree, script)
  const { state_tree, incomplete } = await openChangeset(scene.repository, scene.record).capture()
  const left = git(scene.root, 'ls-tree', '-r', '--name-only', state_tree).split('\n')
  expect(left.filter((path) => incomplete.includes(path))).toEqual([])
  expect(state_tree).toBe(addPlainly(scene, incomplete))
})

test('where several looks at a tree fail, their capture fails once, and nothing is left to fail by itself', async () => {
  const scene = await makeScene(FILES)
  const unheard: unknown[] = []
  const hear = (reason: unknown): number => unheard.push(reason)
  process.on('unhandledRejection', hear)
  shell(scene.tree, 'rm .gitignore ../filled; mkfifo .gitignore ../filled')
  const capturing = openChangeset(scene.repository, scene.record).capture()
  await expect(capturing).rejects.toMatchObject({ code: 'E_FILE_UNREADABLE' })
  await setImmediate()
  process.off('unhandledRejection', hear)
  expect(unheard).toEqual([])
})

/** The tree that git makes of the files alone, with a new index that begins as HEAD. */
function addPlainly({ root, tree }: Scene, without: readonly string[]): string {
  const index = join(root, '..', 'plain')
  const leave = without.map((path) => `rm -rf '${path}';`).join(' ')
  return shell(
    tree,
    `${leave} export GIT_INDEX_FILE='${index}' GIT_DIR='${root}/.git' GIT_WORK_TREE="$PWD"
     git read-tree HEAD; git add -A; git write-tree`,
  ).trim()
}
