// A landing that moves a submodule brings its commits along, or is refused.

import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { forecastLanding } from '../../../../src/core/operations/landing/forecast-landing.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { git } from '../../../support/git/repository.ts'
import { type Scene, shell } from '../../../support/scene/sandbox.ts'
import { GIT, makeSubmoduleScene, type SubmoduleScene } from '../../../support/scene/submodules.ts'

const INIT = `${GIT} submodule --quiet update --init`
const BUMP = 'cd lib; echo more >> l; git commit -qam more; cd ..; git add lib; git commit -qm bump'

const land = ({ repository, record }: Scene) =>
  landInvocation(repository, readInvocation(repository.paths, record.invocation_id), {})

const forecast = ({ repository, record }: Scene) => forecastLanding(repository, record)

/** The submodule's repositories that the person may look into. */
const homes = ({ root, worktree }: Scene) => ({
  own: join(worktree.git_dir, 'modules/lib'),
  main: join(root, '.git/modules/lib'),
})

function dropUnreachable(repository: string): void {
  git(repository, '--git-dir=.', '-c', 'core.bare=true', 'reflog', 'expire', '--expire=now', '--all')
  git(repository, '--git-dir=.', '-c', 'core.bare=true', 'gc', '-q', '--prune=now')
}

const has = (repository: string, commit: string): boolean =>
  shell(repository, `git --git-dir=. cat-file -e ${commit} && echo yes || true`) === 'yes\n'

async function landedCommit(scene: SubmoduleScene, script = `${INIT}; ${BUMP}`): Promise<string> {
  shell(scene.tree, script)
  const commit = git(scene.tree, 'rev-parse', 'HEAD:lib')
  expect(await forecast(scene)).toMatchObject({ kind: 'clean' })
  await land(scene)
  return commit
}

describe('a landed commit of a submodule is in the person’s repository, and stays there', () => {
  test('where the worktree has the submodule: in its own, through undo and redo', async () => {
    const scene = await makeSubmoduleScene()
    shell(scene.worktree.tree_path, INIT)
    const commit = await landedCommit(scene)
    const { own } = homes(scene)
    dropUnreachable(own)
    expect(has(own, commit)).toBe(true)
    shell(scene.worktree.tree_path, 'git submodule --quiet update')
    expect(git(scene.worktree.tree_path, '-C', 'lib', 'rev-parse', 'HEAD')).toBe(commit)
    await undoLast(scene.repository)
    expect(git(join(scene.tree, 'lib'), 'rev-parse', 'HEAD')).toBe(commit)
    await redoLast(scene.repository)
    dropUnreachable(own)
    expect(has(own, commit)).toBe(true)
  })

  test('where only the main tree has it: there, and the landing says so', async () => {
    const scene = await makeSubmoduleScene()
    shell(scene.tree, `${INIT}; ${BUMP}`)
    const commit = git(scene.tree, 'rev-parse', 'HEAD:lib')
    const { notes } = await land(scene)
    const { main } = homes(scene)
    expect(notes.join()).toContain(main)
    dropUnreachable(main)
    expect(has(main, commit)).toBe(true)
  })

  test('where the agent’s was made with many commits, packed', async () => {
    const scene = await makeSubmoduleScene()
    const many = 'for i in $(seq 120); do echo $i > l; git commit -qam $i; done; git gc -q'
    const commit = await landedCommit(scene, `${INIT}; cd lib; ${many}; cd ..; ${BUMP}`)
    const { main } = homes(scene)
    dropUnreachable(main)
    expect(git(main, '--git-dir=.', 'rev-list', '--count', commit)).toBe('123')
  })

  test('where nobody made it here: the agent took what another branch names', async () => {
    const scene = await makeSubmoduleScene()
    shell(scene.upstream, 'echo later > l; git commit -qam later')
    rmSync(homes(scene).main, { recursive: true })
    await landedCommit(
      scene,
      `${INIT}; cd lib; git checkout -q origin/main; cd ..; git add lib; git commit -qm bump`,
    )
  })
})

describe('a landing is refused where the commit would be nowhere', () => {
  const without = (scene: SubmoduleScene): void => rmSync(homes(scene).main, { recursive: true })

  test.each<[string, (scene: SubmoduleScene) => void]>([
    ['the person has no such repository', without],
    [
      'the agent has damaged its objects',
      ({ tree }) =>
        shell(
          tree,
          'c=$(git -C lib rev-parse HEAD:l); cd "$(git -C lib rev-parse --absolute-git-dir)/objects"; rm -f "$(echo $c | cut -c1-2)/$(echo $c | cut -c3-)"',
        ),
    ],
    [
      'a link leads to another repository in the place of the person’s',
      (scene) => {
        const { main } = homes(scene)
        renameSync(main, `${main}-else`)
        symlinkSync(`${main}-else`, main)
      },
    ],
  ])('%s', async (_, spoil) => {
    const scene = await makeSubmoduleScene()
    shell(scene.tree, `${INIT}; ${BUMP}`)
    spoil(scene)
    const before = git(scene.worktree.tree_path, 'rev-parse', 'HEAD')
    await expect(land(scene)).rejects.toMatchObject({ code: 'E_SUBMODULE_MISSING' })
    expect(git(scene.worktree.tree_path, 'rev-parse', 'HEAD')).toBe(before)
    expect(git(scene.root, 'for-each-ref', 'refs/agency')).toBe('')
    expect(existsSync(join(scene.tree, 'lib/l'))).toBe(true)
  })

  test('and the forecast says so; once the worktree has the submodule, it lands', async () => {
    const scene = await makeSubmoduleScene()
    shell(scene.tree, `${INIT}; ${BUMP}`)
    without(scene)
    expect(await forecast(scene)).toMatchObject({ kind: 'refused', code: 'E_SUBMODULE_MISSING' })
    shell(scene.worktree.tree_path, INIT)
    expect(await forecast(scene)).toMatchObject({ kind: 'clean' })
    await land(scene)
    expect(has(homes(scene).own, git(scene.worktree.tree_path, 'rev-parse', 'HEAD:lib'))).toBe(true)
  })
})

test('nothing that an agent has planted in a submodule’s repository runs, whichever side it is on', async () => {
  const scene = await makeSubmoduleScene()
  shell(scene.tree, `${INIT}; ${BUMP}`)
  const canary = join(scene.root, '..', 'canary')
  const { main } = homes(scene)
  for (const dir of [main, git(join(scene.tree, 'lib'), 'rev-parse', '--absolute-git-dir')]) {
    const hook = `#!/bin/sh\ntouch "${canary}"\n`
    for (const name of ['reference-transaction', 'post-update', 'pre-auto-gc'])
      writeFileSync(join(dir, 'hooks', name), hook, { mode: 0o755 })
    shell(dir, `git --git-dir=. config core.fsmonitor 'touch "${canary}"'`)
    shell(dir, `git --git-dir=. config uploadpack.packObjectsHook 'touch "${canary}"'`)
    shell(dir, `git --git-dir=. config core.alternateRefsCommand 'touch "${canary}"'`)
  }
  rmSync(canary, { force: true })
  await land(scene)
  expect(existsSync(canary)).toBe(false)
})
