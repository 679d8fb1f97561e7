import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import type { LandOptions } from '../../../../src/core/facade/agency.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { readEvents } from '../../../../src/core/store/events.ts'
import { isInterrupted } from '../../../../src/core/store/interrupted.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { readOperations } from '../../../../src/core/store/operations-log.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { readWorktree } from '../../../../src/core/store/worktrees.ts'
import { commitAll, git, writeFiles } from '../../../support/git/repository.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import {
  bringHome,
  makeSandbox,
  makeScene,
  type Scene,
  SHARES_REPOSITORY,
  shell,
} from '../../../support/scene/sandbox.ts'

const land = (scene: Scene, options: LandOptions = {}) =>
  landInvocation(scene.repository, scene.record, options)

const subjects = (tree: string, range: string): string[] =>
  git(tree, 'log', '--reverse', '--format=%s', range).split('\n')

describe('a sandbox with commits', () => {
  test('lands as it is where the branch has not moved', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { 'new.txt': 'new\n' })
    const tip = commitAll(scene.tree, 'Add a file')

    const landing = await land(scene)

    expect(landing).toMatchObject({ manner: 'fast_forward', landed: [tip], skipped: [], to: tip, notes: [] })
    const { tree_path } = scene.worktree
    expect(git(tree_path, 'rev-parse', 'HEAD')).toBe(tip)
    expect(readFileSync(join(tree_path, 'new.txt'), 'utf8')).toBe('new\n')
    expect(git(tree_path, 'status', '--porcelain')).toBe('')
  })

  test('leaves nothing behind but its state, its record and one operation', async () => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Empty but a commit')
    const tip = git(scene.tree, 'rev-parse', 'HEAD')
    const { paths } = scene.repository

    const landing = await land(scene)

    expect(landing.invocation.landing_status).toBe('landed')
    expect(readInvocation(paths, scene.record.invocation_id).landing_status).toBe('landed')
    expect(readWorktree(paths, scene.worktree.worktree_id).known_head).toBe(tip)
    expect(existsSync(scene.tree)).toBe(false)
    expect(isInterrupted(paths)).toBe(false)
    expect(git(scene.root, 'branch', '--list', scene.record.sandbox_branch)).toBe('')
    expect(git(scene.root, 'worktree', 'list', '--porcelain')).not.toContain(scene.tree)
    const [operation] = readOperations(paths)
    const kept = git(scene.root, 'rev-parse', `refs/agency/trash/${scene.record.invocation_id}`)
    expect(operation).toMatchObject({
      kind: 'land',
      description: expect.stringMatching(/^landed [0-9a-f]{4} \(shell\) onto feature, 1 commit$/),
      refs: [
        { ref: `refs/heads/${scene.worktree.branch}`, from: scene.record.base_commit, to: tip },
        { ref: `refs/agency/trash/${scene.record.invocation_id}`, from: null, to: kept },
        { ref: `refs/heads/${scene.record.sandbox_branch}`, from: tip, to: null },
      ],
    })
    expect(readEvents(paths, scene.record.invocation_id).map((event) => event.kind)).toEqual(['landed'])
  })

  test('is put on top of a branch that has moved, author and date kept, committed by the person', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n' })
    shell(scene.tree, `echo more >> a; GIT_AUTHOR_DATE='1111111111 +0330' git commit -qam 'Change a'`)
    writeFiles(scene.worktree.tree_path, { b: 'mine\n' })
    const mine = commitAll(scene.worktree.tree_path, 'Mine')

    const landing = await land(scene)

    const { tree_path } = scene.worktree
    expect(landing).toMatchObject({ manner: 'commits', from: mine })
    expect(git(tree_path, 'log', '-1', '--format=%an %ae %ad|%cn %ce|%P', '--date=raw')).toBe(
      `Agent agent@example.com 1111111111 +0330|Person person@example.com|${mine}`,
    )
    expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('a\nmore\n')
    expect(readFileSync(join(tree_path, 'b'), 'utf8')).toBe('mine\n')
    expect(git(tree_path, 'log', '-g', '-1', '--format=%gs', 'HEAD')).toBe(
      `agency: land ${scene.record.invocation_id}`,
    )
  })

  test('several land one after another, each on top of the last, also when started together', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const others = [
      await makeSandbox(scene.repository, scene.worktree),
      await makeSandbox(scene.repository, scene.worktree),
    ]
    const records = [scene.record, ...others]
    for (const record of records) {
      writeFiles(showPath(record.sandbox_path), { [`by-${record.invocation_id}`]: 'x\n' })
      commitAll(showPath(record.sandbox_path), `Work of ${record.invocation_id}`)
    }

    const effects = { ...scene.repository.effects, clock: systemClock }
    const repository = await openRepository(effects, scene.root)
    await Promise.all(records.map((record) => landInvocation(repository, record, {})))

    const { tree_path } = scene.worktree
    for (const record of records) expect(existsSync(join(tree_path, `by-${record.invocation_id}`))).toBe(true)
    expect(git(tree_path, 'rev-list', '--count', `${scene.record.base_commit}..HEAD`)).toBe('3')
    expect(git(tree_path, 'status', '--porcelain')).toBe('')
    expect(git(scene.root, 'fsck', '--no-dangling')).toBe('')
  })

  test('what is empty or on the branch already is skipped and reported', async () => {
    const scene = await makeScene({ a: 'a\n' })
    writeFiles(scene.tree, { b: 'b\n' })
    const first = commitAll(scene.tree, 'Also picked by the person')
    const empty = commitAll(scene.tree, 'Empty')
    writeFiles(scene.tree, { c: 'c\n' })
    commitAll(scene.tree, 'Only here')
    writeFiles(scene.worktree.tree_path, { z: 'z\n' })
    commitAll(scene.worktree.tree_path, 'Mine')
    await bringHome(scene)
    git(scene.worktree.tree_path, 'cherry-pick', first)

    const landing = await land(scene)

    expect(landing.skipped).toEqual([first, empty])
    expect(subjects(scene.worktree.tree_path, `${landing.from}..HEAD`)).toEqual(['Only here'])
  })

  test('that are all on the branch already are closed without moving it', async () => {
    const scene = await makeScene()
    writeFiles(scene.tree, { b: 'b\n' })
    const tip = commitAll(scene.tree, 'Work')
    await bringHome(scene)
    git(scene.worktree.tree_path, 'merge', '-q', '--ff-only', tip)

    const landing = await land(scene)

    expect(landing).toMatchObject({ from: tip, to: tip, landed: [], skipped: [tip] })
    expect(landing.notes).toEqual(['all of it was on the branch already'])
    expect(landing.invocation.landing_status).toBe('landed')
    expect(existsSync(scene.tree)).toBe(false)
  })
})

describe('uncommitted work', () => {
  test('alone needs --apply, and lands with untracked and binary files as one commit', async () => {
    const scene = await makeScene({ a: 'a\n', 'gone.txt': 'x\n' })
    shell(scene.tree, `echo more >> a; rm gone.txt; printf '\\0\\1\\2' > image.bin; mkdir d; echo d > d/new`)

    expect(await refusal(land(scene))).toMatchObject({ code: 'E_NEEDS_APPLY' })
    const landing = await land(scene, { apply: true })

    const { tree_path } = scene.worktree
    expect(landing.landed).toHaveLength(1)
    expect(git(tree_path, 'log', '-1', '--format=%an|%s')).toBe(
      `Person|agency: land invocation ${scene.record.invocation_id}`,
    )
    expect(readFileSync(join(tree_path, 'image.bin'))).toEqual(Buffer.from([0, 1, 2]))
    expect(existsSync(join(tree_path, 'gone.txt'))).toBe(false)
    expect(git(tree_path, 'ls-files', '.agency')).toBe('')
    expect(git(tree_path, 'status', '--porcelain')).toBe('')
  })

  test('beside commits is refused until the person says what becomes of it', async () => {
    const scene = await makeScene({ a: 'a\n' })
    writeFiles(scene.tree, { b: 'b\n' })
    commitAll(scene.tree, 'Work')
    writeFiles(scene.tree, { loose: 'loose\n' })

    expect(await refusal(land(scene))).toMatchObject({ code: 'E_SANDBOX_DIRTY' })
    expect(existsSync(join(scene.tree, 'loose'))).toBe(true)

    const landing = await land(scene, { commits_only: true })
    expect(existsSync(join(scene.worktree.tree_path, 'loose'))).toBe(false)
    expect(landing.notes).toEqual(['the uncommitted work was left out; agency undo brings it back'])
    const kept = `refs/agency/trash/${scene.record.invocation_id}`
    expect(git(scene.root, 'show', `${kept}:loose`)).toBe('loose')
  })

  test('beside commits lands on top of them with --apply, on a branch that has moved', async () => {
    const scene = await makeScene({ a: 'a\n', far: 'far\n' })
    writeFiles(scene.tree, { b: 'b\n' })
    commitAll(scene.tree, 'Work')
    writeFiles(scene.tree, { a: 'changed\n', loose: 'loose\n' })
    writeFiles(scene.worktree.tree_path, { far: 'mine\n' })
    commitAll(scene.worktree.tree_path, 'Mine')

    const landing = await land(scene, { apply: true })

    const { tree_path } = scene.worktree
    expect(subjects(tree_path, `${landing.from}..HEAD`)).toEqual([
      'Work',
      `agency: land invocation ${scene.record.invocation_id}`,
    ])
    expect(readFileSync(join(tree_path, 'a'), 'utf8')).toBe('changed\n')
    expect(readFileSync(join(tree_path, 'far'), 'utf8')).toBe('mine\n')
  })
})

describe('refusals change nothing', () => {
  test('a conflict names its files and leaves bytes, index and HEAD', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n', c: 'c\n' })
    writeFiles(scene.tree, { a: 'theirs\n', b: 'theirs\n', c: 'theirs\n' })
    commitAll(scene.tree, 'Theirs')
    const { tree_path, git_dir } = scene.worktree
    writeFiles(tree_path, { a: 'ours\n', b: 'ours\n' })
    commitAll(tree_path, 'Ours')
    writeFiles(tree_path, { c: 'unsaved\n', untracked: 'mine\n' })
    const before = [readFileSync(join(git_dir, 'index')), git(tree_path, 'status', '--porcelain')]

    const refused = await refusal(land(scene))

    expect(refused).toMatchObject({ code: 'E_LAND_CONFLICT', details: { files: ['a', 'b'] } })
    expect([readFileSync(join(git_dir, 'index')), git(tree_path, 'status', '--porcelain')]).toEqual(before)
    expect(git(tree_path, 'log', '-1', '--format=%s')).toBe('Ours')
    expect(existsSync(scene.tree)).toBe(true)
    expect(git(scene.root, 'for-each-ref', 'refs/agency')).toBe('')
    expect(readEvents(scene.repository.paths, scene.record.invocation_id)).toMatchObject([
      { kind: 'land_refused', code: 'E_LAND_CONFLICT' },
    ])
  })

  test('nothing to land', async () => {
    expect(await refusal(land(await makeScene()))).toMatchObject({ code: 'E_NOTHING_TO_LAND' })
  })

  test('a branch that moved, where the base is required', async () => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Work')
    commitAll(scene.worktree.tree_path, 'Mine')
    expect(await refusal(land(scene, { require_base: true }))).toMatchObject({ code: 'E_BASE_MOVED' })
  })

  test('an invocation that runs, or was closed', async () => {
    const scene = await makeScene()
    const { repository, record } = scene
    commitAll(scene.tree, 'Work')
    await landInvocation(repository, record, {})
    expect(await refusal(landInvocation(repository, record, {}))).toMatchObject({
      code: 'E_INVOCATION_CLOSED',
    })
  })

  test('a commit that carries a marker', async () => {
    const scene = await makeScene()
    shell(
      scene.tree,
      `git add -f .agency; git commit -qm 'Marker'; git rm -rq --cached .agency; git commit -qm 'Gone'`,
    )
    expect(await refusal(land(scene))).toMatchObject({ code: 'E_MARKER_IN_WORK' })
  })

  test.each([
    ['MERGE_HEAD', 'a merge'],
    ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ])('a tree in the middle of something: %s', async (file, what) => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Work')
    writeFiles(scene.worktree.git_dir, { [file]: `${scene.record.base_commit}\n` })
    const refused = await refusal(land(scene))
    expect(refused).toMatchObject({ code: 'E_INTEGRATION_BUSY' })
    expect(refused.message).toContain(what)
  })

  test('a tree on another branch', async () => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Work')
    git(scene.worktree.tree_path, 'switch', '-q', '-c', 'elsewhere')
    expect(await refusal(land(scene))).toMatchObject({
      code: 'E_INTEGRATION_BUSY',
      hint: `go back there with: git switch ${scene.worktree.branch}`,
    })
  })

  test.skipIf(!SHARES_REPOSITORY)('a branch that an agent moved, saying by whom', async () => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Evil')
    const evil = commitAll(scene.tree, 'More evil')
    shell(scene.tree, `git update-ref -m 'just so' refs/heads/${scene.worktree.branch} ${evil}`)
    const refused = await refusal(land(scene))
    expect(refused.code).toBe('E_BRANCH_MOVED')
    expect(refused.message).toContain('Agent <agent@example.com>: just so')
  })

  test('a tree without its marker, or gone', async () => {
    const scene = await makeScene()
    commitAll(scene.tree, 'Work')
    shell(scene.worktree.tree_path, 'rm .agency/INTEGRATION_MARKER')
    expect(await refusal(land(scene))).toMatchObject({ code: 'E_NOT_INTEGRATION_TREE' })
    shell(scene.root, `rm -rf '${scene.worktree.tree_path}'`)
    expect(await refusal(land(scene))).toMatchObject({ code: 'E_NOT_INTEGRATION_TREE' })
  })
})
