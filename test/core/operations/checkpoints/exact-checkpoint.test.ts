// What git would make otherwise of a tree, or does not look at, is in a checkpoint too, however that is taken.

import { expect, test } from 'vitest'
import { openChangeset } from '../../../../src/core/changesets/open-changeset.ts'
import { checkpointSettings } from '../../../../src/core/model/checkpoint-settings.ts'
import { openCheckpointer } from '../../../../src/core/operations/checkpoints/checkpointer.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { git } from '../../../support/git/repository.ts'
import { exactManifest } from '../../../support/git/tree-manifest.ts'
import { restoreTo, take, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

const NO_FILE_MODE = { 'core.fileMode': 'false' }

test('a change of bytes alone that git does not see is a checkpoint of its own, and stops an undo', async () => {
  const scene = await makeScene({ '.gitattributes': '* text=auto\n', base: 'a\nb\n' })
  const { id } = await takeNowIn(scene)
  shell(scene.tree, `printf 'a\\r\\nb\\r\\n' > base`)
  const capture = await openChangeset(scene.repository, scene.record).capture()
  expect(capture).toMatchObject({ dirty: false })
  expect(await take(scene, 'quiet')).not.toBeNull()
  await restoreTo(scene, id)
  expect(exactManifest(scene.tree)['base']).toBe('644 a\nb\n')
  shell(scene.tree, 'chmod 600 base')
  await expect(undoLast(scene.repository)).rejects.toMatchObject({ code: 'E_UNDO_MOVED' })
})

test.each([
  { what: 'a file made executable', script: 'chmod 755 base', was: '644 a\n' },
  { what: 'an executable made plain', script: 'chmod 644 tool', was: '755 b\n' },
  {
    what: 'the link of a file system without links made executable',
    script: 'chmod 755 link',
    was: '644 base',
  },
])('a mode that git does not look at is a checkpoint of its own, and stops an undo: $what', async (one) => {
  const scene = await makeScene({ base: 'a\n' }, { ...NO_FILE_MODE, 'core.symlinks': 'false' })
  const { tree } = scene
  shell(tree, 'echo b > tool; chmod 755 tool; git add tool; git update-index --chmod=+x tool')
  shell(tree, 'printf base > link; git add link')
  shell(tree, 'git update-index --cacheinfo "120000,$(git hash-object link),link"; git commit -qm work')
  const path = one.script.split(' ').at(-1) ?? ''
  const { id } = await takeNowIn(scene)
  shell(tree, one.script)
  expect(exactManifest(tree)[path]).not.toBe(one.was)
  expect(git(tree, 'status', '--porcelain')).toBe('')
  expect(await take(scene, 'quiet')).not.toBeNull()
  await restoreTo(scene, id)
  expect(exactManifest(tree)[path]).toBe(one.was)
  shell(tree, one.script)
  await expect(undoLast(scene.repository)).rejects.toMatchObject({ code: 'E_UNDO_MOVED' })
})

test('a tree whose modes git does not look at holds nothing more if they are those of its files', async () => {
  const scene = await makeScene({ base: 'a\n' }, NO_FILE_MODE)
  shell(scene.tree, 'echo b > tool; chmod 755 tool; git add tool; git update-index --chmod=+x tool')
  shell(scene.tree, 'touch base; echo c > new')
  expect((await openChangeset(scene.repository, scene.record).capture()).verbatim).toBeNull()
})

test('a tree that git brings back as it is holds nothing more than before', async () => {
  const scene = await makeScene({ '.gitattributes': '* text=auto\n', base: 'a\nb\n' })
  shell(
    scene.tree,
    'echo more >> base; touch .gitattributes; mkdir d; echo x > d/x; git add d; git commit -qm d',
  )
  const capture = await openChangeset(scene.repository, scene.record).capture()
  expect(capture.verbatim).toBeNull()
  // As git makes it where a submodule is not filled.
  shell(scene.tree, 'git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),sub"; mkdir sub')
  expect((await openChangeset(scene.repository, scene.record).capture()).verbatim).toBeNull()
  shell(scene.tree, 'git rm -q --cached sub; rmdir sub')
  const { snapshot_commit } = await takeNowIn(scene)
  expect(git(scene.root, 'log', '-1', '--format=%P', snapshot_commit).split(' ')).toHaveLength(1)
})

const SETTINGS = checkpointSettings(undefined)

test.each<{
  what: string
  script: string
  paths: string[]
  by: string
  settings?: Readonly<Record<string, string>>
}>([
  { what: 'a file’s mode', script: 'chmod 600 base', paths: ['base'], by: 'scan' },
  { what: 'a directory’s mode', script: 'chmod 700 d', paths: ['d', 'd/x'], by: 'scan' },
  { what: 'line ends', script: `printf 'a\\r\\n' > base`, paths: ['base'], by: 'scan' },
  { what: 'an edit beside a mode of its own', script: 'echo more >> token', paths: ['token'], by: 'paths' },
  { what: 'a deletion of a file with a mode of its own', script: 'rm token', paths: ['token'], by: 'scan' },
  { what: 'a file where a directory held nothing', script: 'echo n > e/n', paths: ['e/n'], by: 'scan' },
  { what: 'a new file', script: 'echo n > n', paths: ['n'], by: 'paths' },
  {
    what: 'a mode that git does not look at',
    script: 'chmod +x base',
    paths: ['base'],
    by: 'scan',
    settings: NO_FILE_MODE,
  },
  {
    what: 'a new executable where git does not look at modes',
    script: 'echo n > n; chmod +x n',
    paths: ['n'],
    by: 'scan',
    settings: NO_FILE_MODE,
  },
])(
  'a checkpoint by paths holds what a look at the whole tree finds: $what',
  async ({ script, paths, by, settings }) => {
    const files = { '.gitattributes': '* text=auto\n', base: 'a\nb\n', 'd/x': 'x\n' }
    const scene = await makeScene(files, settings)
    shell(scene.tree, 'echo secret > token; chmod 600 token; mkdir e')
    const checkpointer = openCheckpointer(scene.repository, scene.record)
    await checkpointer.take({ reason: 'asked', settings: SETTINGS, paths: null })
    shell(scene.tree, script)
    const made = await checkpointer.take({ reason: 'quiet', settings: SETTINGS, paths: new Set(paths) })
    const { state_tree, verbatim } = await openChangeset(scene.repository, scene.record).capture()
    expect(made.by).toBe(by)
    expect(made.checkpoint).toMatchObject({ tree: state_tree })
    expect(made.checkpoint?.verbatim_tree).toBe(verbatim?.tree)
  },
)

/** git tells times apart by the second. Files say when it is over, because they are stamped by another clock. */
const NEXT_SECOND =
  'touch ../begun; until touch ../now; [ $(stat -c %Z ../now) != $(stat -c %Z ../begun) ]; do :; done'

test.each([
  { what: 'a quick look', settings: {}, before: 'true' },
  { what: 'a quick look that has git add the files', settings: NO_FILE_MODE, before: 'true' },
  { what: 'a careful look', settings: {}, before: 'git update-index --index-version 4' },
])('an edit that git is told to pass over is captured by $what', async ({ settings, before }) => {
  const scene = await makeScene({ base: 'a\n' }, { ...settings, 'core.trustctime': 'false' })
  shell(scene.tree, `touch -d '1 minute ago' base; git update-index --refresh; ${before}; ${NEXT_SECOND}`)
  shell(scene.tree, 'touch -r base ../then; echo b > base; touch -r ../then base')
  expect(git(scene.tree, 'status', '--porcelain')).toBe('')
  const { state_tree } = await openChangeset(scene.repository, scene.record).capture()
  expect(git(scene.tree, 'show', `${state_tree}:base`)).toBe('b')
})

test('a landing goes on as git does where it does not look at modes', async () => {
  const scene = await makeScene({ base: 'a\n', edited: 'a\n' }, NO_FILE_MODE)
  const { repository, record, tree } = scene
  shell(
    tree,
    'echo b > tool; chmod 755 tool; echo c > own; chmod 700 own; chmod 755 base edited; echo d >> edited',
  )
  shell(tree, 'echo e > named; git add named; git update-index --chmod=+x named')
  const landed = await landInvocation(repository, record, { apply: true })
  const modes = git(scene.root, 'ls-tree', '--format=%(objectmode) %(path)', landed.to).split('\n')
  expect(modes).toEqual(['100644 base', '100644 edited', '100755 named', '100644 own', '100644 tool'])
  const placed = Object.entries(exactManifest(scene.worktree.tree_path)).map(
    ([path, said]) => said.slice(0, 4) + path,
  )
  expect(placed.sort()).toEqual(['644 base', '644 edited', '644 own', '644 tool', '755 named'])
})
