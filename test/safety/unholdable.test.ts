// What git cannot hold keeps nobody from anything: it is named with its reason, the rest goes on, and nothing is lost.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openChangeset } from '../../src/core/changesets/open-changeset.ts'
import { redoLast } from '../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../src/core/operations/history/undo-operation.ts'
import { removeWorktree } from '../../src/core/operations/integration/remove-worktree.ts'
import { landInvocation } from '../../src/core/operations/landing/land-invocation.ts'
import { diffInvocation } from '../../src/core/operations/sandboxes/diff-invocation.ts'
import { discardInvocation } from '../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../src/core/store/invocations.ts'
import { git } from '../support/git/repository.ts'
import { exactManifest } from '../support/git/tree-manifest.ts'
import { sampledOf } from '../support/run/sampled.ts'
import { restoreTo, takeNowIn } from '../support/scene/checkpoints.ts'
import { makeScene, type Scene, shell } from '../support/scene/sandbox.ts'

const never = async (): Promise<never> => {
  throw new Error('nothing runs here')
}

const nowOf = ({ repository, record }: Scene) => readInvocation(repository.paths, record.invocation_id)

interface Failing {
  readonly title: string
  readonly attributes: string
  readonly settings?: Readonly<Record<string, string>>
  readonly make: string
  readonly path: string
  readonly mode: string
  readonly why: string
}

const LFS = {
  'filter.lfs.clean': 'no-such-program -- %f',
  'filter.lfs.smudge': 'cat',
  'filter.lfs.required': 'true',
}

const FAILING: readonly Failing[] = [
  {
    title: 'a required filter that is not there',
    attributes: '*.bin filter=lfs\n',
    settings: LFS,
    make: 'echo data > f.bin',
    path: 'f.bin',
    mode: '755',
    why: 'its filter lfs failed',
  },
  {
    title: 'a required filter that refuses an edit of a committed file',
    attributes: '*.txt filter=picky\n',
    settings: {
      'filter.picky.clean': 'grep -v refused',
      'filter.picky.smudge': 'cat',
      'filter.picky.required': 'true',
    },
    make: 'echo refused > old.txt',
    path: 'old.txt',
    mode: '755',
    why: 'its filter picky failed',
  },
  {
    title: 'a process filter that ends at once',
    attributes: '*.bin filter=lfs\n',
    settings: { 'filter.lfs.process': 'false', 'filter.lfs.required': 'true' },
    make: 'echo data > "it is.bin"; echo data > two.bin',
    path: 'two.bin',
    mode: '600',
    // Which of two complaints git makes depends on who is quicker.
    why: 'its filter ',
  },
  {
    title: 'an encoding without its mark',
    attributes: '*.rc text working-tree-encoding=UTF-16\n',
    make: 'printf plain > f.rc',
    path: 'f.rc',
    mode: '644',
    why: 'it is no UTF-16: it has no byte order mark',
  },
  {
    title: 'bytes that are not of the encoding',
    attributes: '*.rc text working-tree-encoding=SHIFT-JIS\n',
    make: `printf '\\377\\377\\n' > f.rc`,
    path: 'f.rc',
    mode: '777',
    why: 'it is not valid SHIFT-JIS',
  },
]

test.each(sampledOf(FAILING))(
  'a file at which git fails is named, and the rest is shown, kept and landed: $title',
  async (kind) => {
    const files = { '.gitattributes': kind.attributes, 'old.txt': 'old\n', base: 'base\n' }
    const scene = await makeScene(files, kind.settings)
    const { repository, tree } = scene
    shell(tree, `echo good > good; git add good; git commit -qm good; echo more >> base; ${kind.make}`)
    shell(tree, `chmod ${kind.mode} '${kind.path}'`)
    const before = exactManifest(tree)
    const capture = await openChangeset(repository, scene.record).capture()
    expect(capture.reasons[kind.path]).toContain(kind.why)
    const diff = await diffInvocation(repository, nowOf(scene), {})
    expect(diff.files.map(({ path }) => path)).toEqual(['base', 'good'])
    const { id } = await takeNowIn(scene)
    shell(tree, `echo other > '${kind.path}'; chmod 640 '${kind.path}'; rm base`)
    await restoreTo(scene, id)
    expect(exactManifest(tree)).toEqual(before)
    await undoLast(repository)
    expect(readFileSync(join(tree, kind.path), 'utf8')).toBe('other\n')
    await redoLast(repository)
    const discarded = await discardInvocation(repository, nowOf(scene), never)
    expect(discarded.notes.join()).toContain(`${kind.path} (${kind.why}`)
    await undoLast(repository)
    expect(exactManifest(tree)).toEqual(before)
    const landed = await landInvocation(repository, nowOf(scene), { apply: true })
    expect(landed.notes.join()).toContain(`${kind.path} (${kind.why}`)
    expect(git(scene.root, 'show', `${landed.to}:base`)).toBe('base\nmore')
    await undoLast(repository)
    expect(exactManifest(tree)).toEqual(before)
  },
)

test.each(sampledOf(FAILING))(
  'the person’s own tree is removed and comes back with such a file: $title',
  async (kind) => {
    const files = { '.gitattributes': kind.attributes, 'old.txt': 'old\n', base: 'base\n' }
    const { repository, worktree } = await makeScene(files, kind.settings)
    shell(worktree.tree_path, `${kind.make}; printf 'a\\r\\n' > crlf.txt; chmod 600 base`)
    const before = exactManifest(worktree.tree_path)
    const { notes } = await removeWorktree(repository, worktree, {
      force: true,
      end: never,
      progress: () => {},
    })
    expect(existsSync(worktree.tree_path)).toBe(false)
    expect(notes.join()).toContain(kind.path)
    await undoLast(repository)
    expect(exactManifest(worktree.tree_path)).toEqual(before)
  },
)

test('ten files at which a filter fails cost no look each', async () => {
  const scene = await makeScene({ '.gitattributes': '*.bin filter=lfs\n' }, LFS)
  shell(scene.tree, 'for n in 0 1 2 3 4 5 6 7 8 9; do echo $n > $n.bin; echo $n > $n.txt; done')
  const capture = await openChangeset(scene.repository, scene.record).capture()
  expect(capture.incomplete).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${n}.bin`))
  const listed = git(scene.root, 'ls-tree', '-r', '--name-only', capture.state_tree).split('\n')
  expect(listed.filter((path) => path.endsWith('.txt'))).toHaveLength(10)
})

const DEEP = `python3 -c '
import os
for i in range(220): os.mkdir("d"*20); os.chdir("d"*20)
open("deep","w").write("x")'`
const DEEP_AND_EMPTY = `python3 -c '
import os
for i in range(220): os.mkdir("d"*20); os.chdir("d"*20)'`
/** No call can be given their paths. */
const isDeep = (script: string): boolean => script === DEEP || script === DEEP_AND_EMPTY
const deepFile = ({ tree }: Scene): string =>
  shell(tree, 'find . -name deep -execdir cat {} \\;; find . -name "ddd*" | wc -l')

test.each([
  ['a file in our own directory', 'echo plan > .agency/PLAN.md', '.agency/PLAN.md'],
  [
    'a directory in our own directory',
    'mkdir -p .agency/notes; echo plan > .agency/notes/a',
    '.agency/notes',
  ],
  [
    'a file of ours that says something else',
    'echo mine >> .agency/SANDBOX_MARKER',
    '.agency/SANDBOX_MARKER',
  ],
  ['a name that git refuses', `mkdir 'git~1'; echo x > 'git~1/x'`, 'git~1/x'],
  ['a name that git refuses in other letters', 'mkdir .GIT; echo x > .GIT/x', '.GIT/x'],
  ['a directory called .git that is no repository', 'mkdir -p sub/.git; echo x > sub/.git/notes', 'sub/.git'],
  ['a file called .git that leads nowhere', 'mkdir sub; echo x > sub/.git; echo y > sub/y', 'sub/.git'],
  ['a path that is too long', DEEP, 'dddddddddddddddddddd/'],
  ['a directory that holds nothing and is too deep', DEEP_AND_EMPTY, 'dddddddddddddddddddd/'],
])('what git passes over is named, kept as files, and comes back: %s', async (_, script, named) => {
  const scene = await makeScene({ base: 'base\n' })
  for (const more of ['', 'echo more >> base']) {
    shell(scene.tree, `${script}; ${more}`)
    const [files, deep] = [isDeep(script) ? {} : exactManifest(scene.tree), deepFile(scene)]
    const capture = await openChangeset(scene.repository, scene.record).capture()
    expect(capture.incomplete.join()).toContain(named)
    const { notes } = await discardInvocation(scene.repository, nowOf(scene), never)
    expect(notes.join()).toContain(named)
    await undoLast(scene.repository)
    expect(isDeep(script) ? {} : exactManifest(scene.tree)).toEqual(files)
    expect(deepFile(scene)).toBe(deep)
    const own = join(scene.tree, named)
    if (named.startsWith('.agency')) expect(existsSync(own)).toBe(true)
    if (isDeep(script)) shell(scene.tree, 'rm -rf dddddddddddddddddddd')
    else shell(scene.tree, `rm -rf sub 'git~1' .GIT`)
  }
})
