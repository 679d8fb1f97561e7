// Starts that were killed when git had made no more than their branch. What that began at may be nowhere else by now.

import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { sandboxBranch } from '../../../../src/core/model/invocation.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { git } from '../../../support/git/repository.ts'
import { makeScene, type Scene } from '../../../support/scene/sandbox.ts'

const IDS = ['20260128120000-aaaa', '20260128120000-bbbb', '20260128120000-cccc'].map(parseInvocationId)

const DIRS: Readonly<Record<string, (scene: Scene, id: string) => string[]>> = {
  'both directories': ({ repository: { paths } }, id) => [
    paths.invocation(id).dir,
    paths.invocation(id).sandboxDir,
  ],
  'that of its record': ({ repository: { paths } }, id) => [paths.invocation(id).dir],
  'that of its sandbox': ({ repository: { paths } }, id) => [paths.invocation(id).sandboxDir],
}

test.each(Object.entries(DIRS).flatMap(([what, dirsOf]) => [1, 3].map((count) => ({ what, dirsOf, count }))))(
  '$count with $what are cleared at once, and the commit is kept',
  async ({ dirsOf, count }) => {
    const scene = await makeScene({ a: 'a\n' })
    const { root, repository } = scene
    git(root, 'commit', '-q', '--allow-empty', '-m', 'mine')
    const commit = git(root, 'rev-parse', 'HEAD')
    const ids = IDS.slice(0, count)
    const dirs = ids.flatMap((id) => dirsOf(scene, id))
    for (const id of ids) git(root, 'branch', sandboxBranch(id))
    for (const dir of dirs) mkdirSync(dir, { recursive: true })
    git(root, 'reset', '-q', '--hard', 'HEAD~1')
    await diagnose(repository, { fix: true })
    const { findings } = await diagnose(repository)
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
    expect(dirs.filter((dir) => existsSync(dir))).toEqual([])
    expect(ids.map((id) => git(root, 'branch', '--list', sandboxBranch(id)))).toEqual(ids.map(() => ''))
    expect(git(root, 'for-each-ref', '--contains', commit, 'refs/agency/trash')).not.toBe('')
  },
)
