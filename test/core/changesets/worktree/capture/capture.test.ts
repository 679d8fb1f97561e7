import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Capture } from '../../../../../src/core/changesets/changeset.ts'
import { openChangeset } from '../../../../../src/core/changesets/open-changeset.ts'
import { showPath } from '../../../../../src/core/model/sandbox-path.ts'
import { git } from '../../../../support/git/repository.ts'
import { sample } from '../../../../support/run/sampled.ts'
import { makeScene, type Scene, shell } from '../../../../support/scene/sandbox.ts'

const capture = (scene: Scene): Promise<Capture> => openChangeset(scene.repository, scene.record).capture()
const show = (scene: Scene, { state_tree }: Capture, path: string): string =>
  git(scene.root, 'show', `${state_tree}:${path}`)
const list = (scene: Scene, { state_tree }: Capture): string[] =>
  git(scene.root, 'ls-tree', '-r', '--name-only', state_tree).split('\n')

test('an untouched sandbox is its HEAD and clean', async () => {
  const scene = await makeScene()
  const taken = await capture(scene)
  expect(taken).toMatchObject({
    head: scene.record.base_commit,
    head_ref: `refs/heads/${scene.record.sandbox_branch}`,
    unborn: false,
    index_tree: null,
    dirty: false,
    incomplete: [],
    has_ignored: false,
  })
  expect(taken.state_tree).toBe(git(scene.root, 'rev-parse', 'HEAD^{tree}'))
})

test('an edit of the same size within the second of its staging is seen', async () => {
  const scene = await makeScene({ a: 'one\n' })
  for (let round = 0; round < 20; round++) {
    shell(scene.tree, `echo aa${round % 10} > a; git add a; echo bb${round % 10} > a`)
    expect(show(scene, await capture(scene), 'a')).toBe(`bb${round % 10}`)
  }
})

test('work staged, unstaged, untracked and deleted is all there, and what is ignored is only told', async () => {
  const scene = await makeScene({ a: 'a\n', b: 'b\n', c: 'c\n', '.gitignore': '*.log\n' })
  shell(
    scene.tree,
    'echo staged > a; git add a; echo later > a; rm b; git rm -q c; echo new > n; echo x > x.log',
  )
  const taken = await capture(scene)
  expect(list(scene, taken)).toEqual(['.gitignore', 'a', 'n'])
  expect(show(scene, taken, 'a')).toBe('later')
  expect(git(scene.root, 'show', `${taken.index_tree}:a`)).toBe('staged')
  expect(taken).toMatchObject({ dirty: true, has_ignored: true, incomplete: [] })
})

test('files that were ignored and added by force stay, and those ignored since they were added too', async () => {
  const scene = await makeScene({ '.gitignore': '*.log\n', s: 's\n' })
  shell(scene.tree, 'echo x > kept.log; git add -f kept.log; echo s >> .gitignore; echo t > s')
  const taken = await capture(scene)
  expect(list(scene, taken)).toEqual(['.gitignore', 'kept.log', 's'])
  expect(show(scene, taken, 's')).toBe('t')
})

test('our own directory never gets in, not even by force', async () => {
  const scene = await makeScene()
  shell(scene.tree, 'rm .agency/.gitignore; git add -f .agency')
  const taken = await capture(scene)
  expect(list(scene, taken)).toEqual(['README.md'])
  expect(taken.dirty).toBe(false)
})

test.each([
  ['a state is reported', `printf '{"status":"idle"}' > "$S"`, []],
  ['nothing is reported any more', 'rm -f "$S"', []],
  ['what is reported is no state', `echo plan > "$S"`, ['.agency/state']],
  [
    'something lies beside it',
    `printf '{"status":"idle"}' > "$S"; echo plan > .agency/state/plan`,
    ['.agency/state'],
  ],
  ['a link lies in its place', 'ln -sf ../../a "$S"', ['.agency/state']],
  [
    'a link lies in the place of its directory',
    'rm -r .agency/state; ln -s .. .agency/state',
    ['.agency/state'],
  ],
])('where a runner reports its own state, that alone is not named: %s', async (_, script, named) => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, `S=.agency/state/runner_status.json; mkdir .agency/state; ${script}`)
  expect((await capture(scene)).incomplete).toEqual(named)
})

test('what the repository itself has under .agency stays as in HEAD', async () => {
  const scene = await makeScene({ '.agency/notes': 'of the person\n', a: 'a\n' })
  shell(scene.tree, 'echo changed > .agency/notes; echo b > a')
  const taken = await capture(scene)
  expect(list(scene, taken)).toEqual(['.agency/notes', 'a'])
  expect(show(scene, taken, '.agency/notes')).toBe('of the person')
  shell(scene.tree, 'rm -r .agency; echo file > .agency')
  expect(list(scene, await capture(scene))).toEqual(['.agency/notes', 'a'])
})

test('nested repositories, pipes and sockets are named, and the rest is captured', async () => {
  const scene = await makeScene({ a: 'a\n', was: 'a file\n', '.gitignore': 'ignored/\n' })
  shell(
    scene.tree,
    `git init -q empty; echo x > empty/x
     git init -q full; echo x > full/x; git -C full add .; git -C full commit -qm x
     mkdir ignored; mkfifo pipe ignored/pipe; rm was; mkfifo was; echo more >> a`,
  )
  const taken = await capture(scene)
  expect(taken.incomplete).toEqual(['empty', 'full', 'pipe', 'was'])
  expect(list(scene, taken)).toEqual(['.gitignore', 'a', 'was'])
  expect(show(scene, taken, 'a')).toBe('a\nmore')
})

test('a nested repository that the agent staged stays an entry and is named', async () => {
  const scene = await makeScene()
  shell(
    scene.tree,
    `git init -q sub; echo x > sub/x; git -C sub add .; git -C sub commit -qm x
     git -c advice.addEmbeddedRepo=false add sub`,
  )
  const taken = await capture(scene)
  expect(taken.incomplete).toEqual(['sub'])
  expect(list(scene, taken)).toEqual(['README.md', 'sub'])
  shell(scene.tree, 'rm -rf sub')
  expect(list(scene, await capture(scene))).toEqual(['README.md'])
  shell(scene.tree, 'echo file > sub')
  expect(show(scene, await capture(scene), 'sub')).toBe('file')
})

test('the middle of a conflicted rebase is captured with its markers, and the index stays unmerged', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(
    scene.tree,
    `git checkout -q -b other; echo theirs > a; git commit -qam theirs
     git checkout -q -; echo ours > a; git commit -qam ours; git rebase other || true`,
  )
  const taken = await capture(scene)
  expect(show(scene, taken, 'a')).toContain('<<<<<<<')
  expect(taken).toMatchObject({ index_tree: null, head_ref: null, dirty: true })
  expect(git(scene.tree, 'ls-files', '-u')).not.toBe('')
})

test('edits behind assume-unchanged and outside a sparse checkout are seen', async () => {
  const scene = await makeScene({ a: 'a\n', 'in/x': 'x\n', 'out/y': 'y\n', 'out/z': 'z\n' })
  shell(scene.tree, 'git update-index --assume-unchanged a; echo edited > a; git sparse-checkout set in')
  shell(scene.tree, 'mkdir -p out; echo edited > out/y')
  const taken = await capture(scene)
  expect(show(scene, taken, 'a')).toBe('edited')
  expect(show(scene, taken, 'out/y')).toBe('edited')
  expect(show(scene, taken, 'out/z')).toBe('z')
})

sample(test).each([
  [
    'cone with a sparse index',
    'git sparse-checkout set --cone --sparse-index in',
    ['a', 'in/n', 'in/x', 'out/y'],
  ],
  ['split index', 'git update-index --split-index', ['a', 'in/n', 'in/x', 'out/y']],
  ['version 4 index', 'git update-index --index-version 4', ['a', 'in/n', 'in/x', 'out/y']],
  ['untracked cache', 'git update-index --force-untracked-cache; git status', ['a', 'in/n', 'in/x', 'out/y']],
  ['no index', 'rm "$(git rev-parse --git-dir)/index"', ['a', 'in/n', 'in/x', 'out/y']],
  ['broken index', 'echo junk > "$(git rev-parse --git-dir)/index"', ['a', 'in/n', 'in/x', 'out/y']],
])('%s', async (_name, script, expected) => {
  const scene = await makeScene({ a: 'a\n', 'in/x': 'x\n', 'out/y': 'y\n' })
  shell(scene.tree, `${script}; echo new > in/n; echo b > a`)
  const taken = await capture(scene)
  expect(list(scene, taken)).toEqual(expected)
  expect(show(scene, taken, 'a')).toBe('b')
})

test('a detached HEAD, another branch and a branch without commit', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'git checkout -q --detach; git commit -q --allow-empty -m later')
  expect(await capture(scene)).toMatchObject({ head_ref: null, head: git(scene.tree, 'rev-parse', 'HEAD') })
  shell(scene.tree, 'git checkout -q -b elsewhere')
  expect(await capture(scene)).toMatchObject({ head_ref: 'refs/heads/elsewhere' })
  shell(scene.tree, 'git checkout -q --orphan fresh; git rm -rqf .; echo only > only')
  const taken = await capture(scene)
  expect(taken).toMatchObject({ head_ref: 'refs/heads/fresh', unborn: true, head: scene.record.base_commit })
  expect(list(scene, taken)).toEqual(['only'])
})

test('a sandbox whose git directory is gone can still be captured', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, `echo b > a; rm -rf "$(git rev-parse --git-dir)"`)
  expect(show(scene, await capture(scene), 'a')).toBe('b')
})

test('where refs are is not believed from a file that the agent can write', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const elsewhere = join(scene.root, '..', 'elsewhere')
  shell(
    scene.root,
    `git clone -q --bare . '${elsewhere}'; git -C '${elsewhere}' update-ref refs/heads/${scene.record.sandbox_branch} $(git -C '${elsewhere}' commit-tree -m evil HEAD^{tree})`,
  )
  writeFileSync(join(showPath(scene.record.git_dir), 'commondir'), `${elsewhere}\n`)
  expect(await capture(scene)).toMatchObject({ head: scene.record.base_commit, dirty: false })
})

test('the agent keeps its index, refs and files, and nothing of ours stays behind', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > a; echo n > n; git add n')
  utimesSync(join(showPath(scene.record.git_dir), 'index'), 1_700_000_000, 1_700_000_000)
  const before = [
    readFileSync(join(showPath(scene.record.git_dir), 'index')).toString('hex'),
    statSync(join(showPath(scene.record.git_dir), 'index')).mtimeMs,
    git(scene.root, 'for-each-ref'),
    readdirSync(showPath(scene.record.git_dir)),
    readdirSync(scene.repository.paths.invocation(scene.record.invocation_id).sandboxDir),
  ]
  await capture(scene)
  expect([
    readFileSync(join(showPath(scene.record.git_dir), 'index')).toString('hex'),
    statSync(join(showPath(scene.record.git_dir), 'index')).mtimeMs,
    git(scene.root, 'for-each-ref'),
    readdirSync(showPath(scene.record.git_dir)),
    readdirSync(scene.repository.paths.invocation(scene.record.invocation_id).sandboxDir),
  ]).toEqual(before)
})

test('nothing that a nested repository has planted is run', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const canary = join(scene.root, '..', 'canary')
  const script = join(scene.root, '..', 'run.sh')
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`, { mode: 0o755 })
  shell(
    scene.tree,
    `for n in staged loose; do
       git init -q $n; echo x > $n/x; echo '* filter=evil' > $n/.gitattributes
       git -C $n add .; git -C $n commit -qm x
     done
     git -c advice.addEmbeddedRepo=false add staged; git commit -qm sub
     for n in staged loose; do
       git -C $n config core.fsmonitor '"${script}" fsmonitor'
       git -C $n config filter.evil.clean '"${script}" clean'
       git -C $n config core.hooksPath .
       touch $n/x; echo y >> $n/x
     done
     git config core.fsmonitor '"${script}" shared'`,
  )
  await capture(scene)
  expect(existsSync(canary)).toBe(false)
  shell(scene.tree, 'git sparse-checkout set --no-cone "/*"')
  rmSync(canary, { force: true })
  await capture(scene)
  expect(existsSync(canary)).toBe(false)
  // In the same tree, a git that takes no care does run it.
  shell(scene.tree, 'git status >/dev/null')
  expect(existsSync(canary)).toBe(true)
})
