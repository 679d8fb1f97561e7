import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { diffInvocation } from '../../../../src/core/operations/sandboxes/diff-invocation.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { commitAll, git, makeRepository, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { makeEffects } from '../../../support/scene/effects.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import {
  makeSandbox,
  makeScene,
  makeWorktree,
  type Scene,
  SHARES_REPOSITORY,
  shell,
} from '../../../support/scene/sandbox.ts'

const HOOKS = [
  'reference-transaction',
  'post-checkout',
  'post-index-change',
  'pre-commit',
  'post-commit',
  'post-merge',
  'post-rewrite',
  'prepare-commit-msg',
  'commit-msg',
  'fsmonitor-watchman',
]

/**
 * Plants everything that an agent can write into the repository that it shares with the person. What is run writes to
 * the canary, whose path is returned.
 */
function plant(scene: Scene): string {
  const canary = join(makeScratch(), 'canary')
  const trap = join(makeScratch(), 'trap')
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`)
  chmodSync(trap, 0o755)
  const common = join(scene.root, '.git')
  mkdirSync(join(common, 'hooks'), { recursive: true })
  for (const hook of HOOKS) {
    writeFileSync(join(common, 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${canary}'\n`)
    chmodSync(join(common, 'hooks', hook), 0o755)
  }
  const run = `"'${trap}'"`
  const config = `
[core]\n\tfsmonitor = ${run}\n\thooksPath = ${join(common, 'hooks')}\n\tpager = ${run}\n\teditor = ${run}\n\tsshCommand = ${run}\n\tattributesFile = ${join(common, 'attributes')}
[extensions]\n\tworktreeConfig = true
[filter "evil"]\n\tclean = ${run}\n\tsmudge = ${run}\n\tprocess = ${run}\n\trequired = true
[diff]\n\texternal = ${run}\n\tnoprefix = true
[diff "evil"]\n\ttextconv = ${run}\n\tcommand = ${run}
[merge "evil"]\n\tdriver = ${run}
[gpg]\n\tprogram = ${run}\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true
[alias]\n\tread-tree = !${trap}\n[credential]\n\thelper = ${run}\n[color]\n\tui = always\n`
  appendFileSync(join(common, 'config'), config)
  for (const dir of [common, showPath(scene.record.git_dir), scene.worktree.git_dir]) {
    writeFileSync(join(dir, 'config.worktree'), config)
  }
  writeFileSync(join(common, 'attributes'), '* filter=evil diff=evil merge=evil\n')
  writeFileSync(join(common, 'info/attributes'), '* filter=evil diff=evil merge=evil\n')
  return canary
}

async function makeWork(): Promise<Scene> {
  const scene = await makeScene({ a: '1\n2\n3\n4\n5\n', b: 'b\n' })
  writeFiles(scene.tree, {
    a: 'one\n2\n3\n4\n5\n',
    new: 'new\n',
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
  })
  commitAll(scene.tree, 'Work')
  writeFiles(scene.tree, { loose: 'loose\n', b: 'changed\n' })
  writeFiles(scene.worktree.tree_path, { a: '1\n2\n3\n4\nfive\n' })
  commitAll(scene.worktree.tree_path, 'Mine')
  return scene
}

describe('nothing that an agent planted is run', () => {
  test('by a diff', async () => {
    const scene = await makeWork()
    const canary = plant(scene)
    const diff = await diffInvocation(scene.repository, scene.record, { patch: true })
    expect(existsSync(canary)).toBe(false)
    expect(Buffer.from(diff.patch).toString('utf8')).toContain('--- a/a\n+++ b/a\n')
  })

  test('by a landing with everything in it', async () => {
    const scene = await makeWork()
    const canary = plant(scene)
    await landInvocation(scene.repository, scene.record, { apply: true })
    expect(existsSync(canary)).toBe(false)
    const { tree_path } = scene.worktree
    expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('one\n2\n3\n4\nfive\n')
    expect(readFileSync(join(tree_path, 'b'), 'utf8')).toBe('changed\n')
  })

  test('by a landing that is refused and rolled back', async () => {
    const scene = await makeWork()
    writeFiles(scene.worktree.tree_path, { b: 'unsaved\n' })
    const canary = plant(scene)
    expect(await refusal(landInvocation(scene.repository, scene.record, { apply: true }))).toMatchObject({
      code: 'E_WOULD_OVERWRITE',
    })
    expect(existsSync(canary)).toBe(false)
  })

  test.skipIf(!SHARES_REPOSITORY)('and objects are not read as others: replace refs and grafts', async () => {
    const scene = await makeWork()
    const { base_commit } = scene.record
    const other = shell(scene.tree, 'git commit-tree $(git mktree </dev/null) -m other').trim()
    const blob = git(scene.root, 'rev-parse', `${base_commit}:b`)
    const evil = shell(scene.tree, 'echo evil | git hash-object -w --stdin').trim()
    git(scene.root, 'replace', base_commit, other)
    git(scene.root, 'replace', blob, evil)
    writeFileSync(join(scene.root, '.git/info/grafts'), `${git(scene.tree, 'rev-parse', 'HEAD')}\n`)
    await landInvocation(scene.repository, scene.record, { commits_only: true })
    const { tree_path } = scene.worktree
    expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('one\n2\n3\n4\nfive\n')
    expect(readFileSync(join(tree_path, 'b'), 'utf8')).toBe('b\n')
  })
})

test("the person's own filter, set before Agency came, goes on working", async () => {
  const scratch = makeScratch()
  const root = makeRepository(join(scratch, 'person'), { '.gitattributes': '*.big filter=big\n', a: 'a\n' })
  git(root, 'config', 'filter.big.clean', 'sed s/LARGE/pointer/')
  git(root, 'config', 'filter.big.smudge', 'sed s/pointer/LARGE/')
  const repository = await openRepository(makeEffects(join(scratch, 'data')), root)
  const worktree = await makeWorktree(repository, 'feature')
  const record = await makeSandbox(repository, worktree)
  writeFiles(showPath(record.sandbox_path), { 'file.big': 'LARGE\n' })
  commitAll(showPath(record.sandbox_path), 'A large file')
  writeFiles(showPath(record.sandbox_path), { 'loose.big': 'LARGE\n' })

  await landInvocation(repository, record, { apply: true })

  for (const file of ['file.big', 'loose.big']) {
    expect(readFileSync(join(worktree.tree_path, file), 'utf8')).toBe('LARGE\n')
    expect(git(worktree.tree_path, 'show', `HEAD:${file}`)).toBe('pointer')
  }
  expect(git(worktree.tree_path, 'status', '--porcelain')).toBe('')
})
