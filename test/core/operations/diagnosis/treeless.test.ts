// An agent that deletes its whole tree has not deleted what it had committed.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { git } from '../../../support/git/repository.ts'
import { makeScene, type Scene, SHARES_REPOSITORY, shell } from '../../../support/scene/sandbox.ts'

test('doctor closes a sandbox whose files are gone, keeps its commits, and leaves nothing of it but in the trash', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record, root } = scene
  shell(scene.tree, 'echo b > b; git add b; git commit -qm "Only here"; git branch mine')
  rmSync(scene.tree, { recursive: true })
  await diagnose(repository, { fix: true })
  expect(readInvocation(repository.paths, record.invocation_id).landing_status).toBe('discarded')
  expect(git(root, 'log', '-1', '--format=%s', `refs/agency/trash/${record.invocation_id}`)).toBe('Only here')
  const { sandboxDir } = repository.paths.invocation(record.invocation_id)
  const left = existsSync(sandboxDir) ? readdirSync(sandboxDir) : []
  expect(left.filter((name) => name === 'repo.git')).toEqual([])
})

/** What only the git directory of a linked tree names: what is staged, a ref of its own, an autostash. */
const NAMED = [
  'echo staged > s; git add s; echo more >> s',
  'echo r > r; git add r; c=$(git commit-tree -p HEAD -m x $(git write-tree)); git reset -q r; rm r',
  'git update-ref refs/worktree/mine $c',
  'mkdir "$(git rev-parse --git-dir)/rebase-merge"',
  'git commit-tree -p HEAD -m autostash HEAD^{tree} > "$(git rev-parse --git-dir)/rebase-merge/autostash"',
].join('\n')

const NAMES = 'git rev-parse :s refs/worktree/mine $(cat "$(git rev-parse --git-dir)/rebase-merge/autostash")'

const metaOf = ({ repository, record }: Scene): string =>
  repository.paths.invocation(record.invocation_id).meta

describe.runIf(SHARES_REPOSITORY)(
  'what only the git directory of a tree names is kept by doctor, because',
  () => {
    test.each([
      ['its files are gone', (scene: Scene) => [scene.tree]],
      ['it has no record', (scene: Scene) => [metaOf(scene)]],
      ['it has neither', (scene: Scene) => [scene.tree, metaOf(scene)]],
    ] as const)('%s', async (_why, goneOf) => {
      const scene = await makeScene({ a: 'a\n' })
      const { root, tree, repository, record } = scene
      shell(tree, NAMED)
      const own = shell(tree, NAMES).trim().split('\n')
      expect(own).toHaveLength(3)
      for (const path of goneOf(scene)) rmSync(path, { recursive: true })
      await diagnose(repository, { fix: true })
      await diagnose(repository, { fix: true })
      expect(existsSync(showPath(record.git_dir))).toBe(false)
      git(root, 'gc', '-q', '--prune=now')
      for (const object of own) expect(() => git(root, 'cat-file', '-e', object)).not.toThrow()
    })
  },
)

test('gc clears what is left of a sandbox that was killed in the making, also where doctor has taken its record', async () => {
  const { repository, record, root, tree } = await makeScene({ a: 'a\n' })
  const { dir, sandboxDir } = repository.paths.invocation(record.invocation_id)
  const gitDir = showPath(record.git_dir)
  const worked = [
    tree,
    join(sandboxDir, 'logs'),
    join(sandboxDir, 'checkpoints.json'),
    join(gitDir, 'index'),
    dir,
  ]
  for (const path of worked) rmSync(path, { recursive: true, force: true })
  expect(existsSync(gitDir)).toBe(true)
  await collectGarbage(repository, { keep_days: 14, dry_run: false })
  expect([sandboxDir, gitDir].filter((path) => existsSync(path))).toEqual([])
  expect(git(root, 'branch', '--list', record.sandbox_branch)).toBe('')
})
