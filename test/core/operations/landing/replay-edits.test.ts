import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCommitBatch } from '../../../../src/core/model/commit-object.ts'
import { type ObjectId, parseObjectId } from '../../../../src/core/model/ids.ts'
import { replayEdits } from '../../../../src/core/operations/landing/replay-edits.ts'
import { git, writeFiles } from '../../../support/git/repository.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const FILES = ['a', 'b', 'd/a', 'd/ü "x"', 'd/e/a']
const NAMED: Record<string, string> = Object.fromEntries(
  FILES.map((path) => [path, `${path}\n1\n2\n3\n4\n5\n`]),
)

type Change = readonly [what: 'edit' | 'chmod' | 'delete' | 'add' | 'move' | 'nothing', file: number]

/** Mostly edits, because the test is about them. */
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom('edit', 'edit', 'edit', 'edit', 'edit', 'chmod', 'delete', 'add', 'move', 'nothing'),
  fc.nat(FILES.length - 1),
)

function applyChange(tree: string, [what, file]: Change, n: number): void {
  const path = FILES[file] ?? ''
  const full = join(tree, path)
  if (what === 'edit') writeFiles(tree, { [path]: `${NAMED[path]}edit ${n}\n` })
  if (what === 'add') writeFiles(tree, { [`d/new-${n}`]: `${n}\n` })
  if (what === 'chmod') shell(tree, `test ! -e '${path}' || chmod +x '${path}'`)
  if (what === 'delete') rmSync(full, { force: true })
  if (what === 'move') shell(tree, `test ! -e '${path}' || mv '${path}' moved-${n}`)
}

function commitChanges(tree: string, changes: readonly Change[]): ObjectId[] {
  return changes.map((each, n) => {
    applyChange(tree, each, n)
    shell(tree, `git add -A; git commit -q --allow-empty -m ${n}`)
    return parseObjectId(git(tree, 'rev-parse', 'HEAD'))
  })
}

/** The trees that result if the commits are merged one after the other. */
function mergeEach(cwd: string, onto: ObjectId, commits: readonly ObjectId[]): string[] {
  let ours: string = onto
  return commits.map((commit) => {
    const side = git(cwd, 'commit-tree', ours, '-p', `${commit}^`, '-m', 'side')
    ours = git(cwd, 'merge-tree', '--write-tree', side, commit).split('\n')[0] ?? ''
    return ours
  })
}

async function replay(scene: Scene, theirs: readonly Change[], ours: readonly Change[]) {
  const { root, tree, worktree, repository } = scene
  const commits = commitChanges(tree, theirs)
  commitChanges(worktree.tree_path, ours)
  const onto = parseObjectId(git(worktree.tree_path, 'rev-parse', 'HEAD^{tree}'))
  const base = parseObjectId(git(tree, 'rev-parse', `${commits[0]}^`))
  const { store } = repository.git
  const read = await store.run(['cat-file', '--batch'], { input: [...commits, base].join('\n') })
  const objects = parseCommitBatch(read.stdout)
  const trees = await replayEdits({ store, onto, commits, objects })
  return { trees, merged: () => mergeEach(root, onto, commits.slice(0, trees.length)) }
}

test('edits of files that the other side left alone come to what merging them comes to', async () => {
  const scene = await makeScene(NAMED)
  const edits: Change[] = [
    ['edit', 0],
    ['chmod', 3],
    ['nothing', 0],
    ['edit', 3],
    ['edit', 1],
    ['edit', 2],
  ]
  const { trees, merged } = await replay(scene, edits, [['edit', 1]])

  expect(trees).toHaveLength(4)
  expect(trees).toEqual(merged())
  expect(git(scene.root, 'for-each-ref', 'refs/agency/scratch')).toBe('')
})

test('whatever both sides did, the trees are those of the merges', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 3, maxLength: 6 }),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (theirs, ours) => {
        const { trees, merged } = await replay(await makeScene(NAMED), theirs, ours)
        expect(trees).toEqual(merged())
      },
    ),
    { numRuns: Number(process.env['REPLAY_RUNS'] ?? 8) },
  )
})
