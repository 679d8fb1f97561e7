import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DiffRequest } from '../../../../src/core/model/change.ts'
import { parseObjectId } from '../../../../src/core/model/ids.ts'
import { diffInvocation } from '../../../../src/core/operations/sandboxes/diff-invocation.ts'
import { commitAll, git, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const diff = (scene: Scene, request: DiffRequest = {}) =>
  diffInvocation(scene.repository, scene.record, { patch: true, ...request })

async function makeWork(): Promise<Scene> {
  const scene = await makeScene({ a: 'a\n', old: 'moved\n'.repeat(20), gone: 'g\n', script: '#!/bin/sh\n' })
  shell(
    scene.tree,
    `git mv old new; echo more >> a; git commit -qam 'First'; git rm -q gone; git commit -qm 'Second'
     chmod +x script; printf '\\0\\1' > binary; mkdir d; echo loose > d/loose`,
  )
  return scene
}

describe('the diff of a sandbox', () => {
  test('is its whole work: commits, uncommitted and untracked files', async () => {
    const found = await diff(await makeWork())
    expect(found.commits.map(({ subject, author }) => `${author}: ${subject}`)).toEqual([
      'Agent: Second',
      'Agent: First',
    ])
    expect(found.dirty).toBe(true)
    expect(
      found.files.map(({ kind, path, from_path, uncommitted, binary }) =>
        [kind, from_path, path, uncommitted ? 'uncommitted' : '', binary ? 'binary' : '']
          .filter(Boolean)
          .join(' '),
      ),
    ).toEqual([
      'modified a',
      'added binary uncommitted binary',
      'added d/loose uncommitted',
      'deleted gone',
      'renamed old new',
      'modified script uncommitted',
    ])
  })

  test('has a patch that makes of the base what the sandbox is', async () => {
    const scene = await makeWork()
    writeFileSync(join(scene.tree, 'latin1.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a]))
    const { patch, state_tree, base } = await diff(scene)
    const index = join(makeScratch(), 'index')
    const env = { ...process.env, GIT_INDEX_FILE: index }
    const run = (args: string[], input?: Uint8Array) =>
      execFileSync('git', args, { cwd: scene.root, env, input, encoding: 'utf8' }).trim()
    run(['read-tree', base])
    run(['apply', '--cached', '-'], patch)
    expect(run(['write-tree'])).toBe(state_tree)
  })

  test('does not depend on the configuration of the person', async () => {
    const scene = await makeWork()
    const plain = await diff(scene)
    const home = makeScratch()
    writeFileSync(
      join(home, '.gitconfig'),
      `[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\tcontext = 0\n\trenames = false\n\tindentHeuristic = false\n\tsuppressBlankEmpty = true\n\talgorithm = patience\n\torderFile = /dev/null\n\tsubmodule = log\n\trelative = true\n\tinterHunkContext = 9\n[color]\n\tui = always\n[core]\n\tpager = false\n\tabbrev = 4\n[log]\n\tdate = relative\n\tshowSignature = true\n`,
    )
    const before = process.env['HOME']
    process.env['HOME'] = home
    try {
      expect(await diff(scene)).toEqual(plain)
    } finally {
      process.env['HOME'] = before
    }
  })

  test('cannot be hidden by attributes that the agent wrote', async () => {
    const scene = await makeScene({ a: 'a\n' })
    writeFiles(scene.tree, { a: 'evil\n', '.gitattributes': '* -diff binary\n' })
    commitAll(scene.tree, 'Nothing to see')
    expect(Buffer.from((await diff(scene)).patch).toString('utf8')).toContain('-a\n+evil\n')
  })

  test('of a sandbox that changed nothing is empty', async () => {
    const nothing = await diff(await makeScene())
    expect(nothing).toMatchObject({ commits: [], files: [], dirty: false })
    expect(nothing.patch).toHaveLength(0)
  })

  test('leaves the sandbox as it is', async () => {
    const scene = await makeWork()
    const before = git(scene.tree, 'status', '--porcelain=v2', '--branch')
    await diff(scene)
    expect(git(scene.tree, 'status', '--porcelain=v2', '--branch')).toBe(before)
  })
})

describe('a part of the work', () => {
  const head = (scene: Scene, revision = 'HEAD') => parseObjectId(git(scene.tree, 'rev-parse', revision))
  const paths = async (scene: Scene, request: DiffRequest) => {
    const { part, files, patch } = await diff(scene, request)
    const heads =
      Buffer.from(patch)
        .toString('utf8')
        .match(/^diff --git .*$/gm) ?? []
    expect(part).toBe(request.part)
    expect(heads).toHaveLength(files.length)
    return files.map(({ kind, path, uncommitted }) => `${kind} ${path}${uncommitted ? ' uncommitted' : ''}`)
  }

  test('is one commit against the one before', async () => {
    const scene = await makeWork()
    expect(await paths(scene, { part: head(scene) })).toEqual(['deleted gone'])
    expect(await paths(scene, { part: head(scene, 'HEAD~1') })).toEqual(['modified a', 'renamed new'])
  })

  test('is a merge against its first parent, and a commit without parents against nothing', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(
      scene.tree,
      `mine=$(git symbolic-ref --short HEAD)
       git checkout -q --orphan apart; git rm -qrf .; echo o > o; git add o; git commit -qm Apart
       git checkout -q "$mine"; git merge -q --no-edit --allow-unrelated-histories apart`,
    )
    expect(await paths(scene, { part: head(scene) })).toEqual(['added o'])
    expect(await paths(scene, { part: head(scene, 'HEAD^2') })).toEqual(['added o'])
  })

  test('is what no commit holds', async () => {
    expect(await paths(await makeWork(), { part: 'uncommitted' })).toEqual([
      'added binary uncommitted',
      'added d/loose uncommitted',
      'modified script uncommitted',
    ])
  })

  test("is none of another's commits, however it is named", async () => {
    const scene = await makeWork()
    const other = await makeScene({ b: 'b\n' })
    for (const part of [scene.record.base_commit, head(other), parseObjectId('0'.repeat(40))]) {
      expect((await refusal(diff(scene, { part }))).code).toBe('E_COMMIT_NOT_FOUND')
    }
  })
})

test('where white space is ignored a file that differs in nothing else stands without a line', async () => {
  const scene = await makeScene({ spaces: 'a\n  b\n', both: 'a\nb\n' })
  writeFiles(scene.tree, { spaces: 'a \nb\r\n', both: ' a\nc\n' })
  const found = await diff(scene, { ignore_whitespace: true })
  expect(found.ignore_whitespace).toBe(true)
  expect(found.files.map(({ path, added, deleted }) => [path, added, deleted])).toEqual([
    ['both', 1, 1],
    ['spaces', 0, 0],
  ])
  const patch = Buffer.from(found.patch).toString('utf8')
  expect(patch).toContain('@@ -1,2 +1,2 @@\n  a\n-b\n+c\n')
  expect(patch).not.toContain('spaces')
})

test('the list of files counts the lines that the patch shows', async () => {
  const scene = await makeScene({ a: 'c\ny\na\ny\ny\nb\n' })
  writeFiles(scene.tree, { a: 'x\nb\nc\nx\ny\n' })
  const { files, patch } = await diff(scene)
  const lines = Buffer.from(patch).toString('utf8').split('\n').slice(4)
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  expect(files).toMatchObject([{ added: count('+'), deleted: count('-') }])
})

test('what git was never told of is untracked, what was staged is not', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo c > committed; git add committed; git commit -qm c; echo more >> committed')
  const untracked = async () =>
    (await diff(scene)).files.filter((file) => file.untracked).map(({ path }) => path)
  expect(await untracked()).toEqual([])
  shell(scene.tree, 'echo n > new; echo s > staged')
  expect(await untracked()).toEqual(['new', 'staged'])
  shell(scene.tree, 'git add staged')
  expect(await untracked()).toEqual(['new'])
})
