import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { restoreCheckpoint } from '../../../../src/core/operations/checkpoints/restore-checkpoint.ts'
import { redoLast } from '../../../../src/core/operations/history/redo-operation.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { git } from '../../../support/git/repository.ts'
import { treeManifest } from '../../../support/git/tree-manifest.ts'
import { sample } from '../../../support/run/sampled.ts'
import { pictureOf, restoreTo, SETTINGS, takeNowIn } from '../../../support/scene/checkpoints.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeScene, shell } from '../../../support/scene/sandbox.ts'

describe('a restore', () => {
  test('takes deletions, later commits and what was staged back to what they were', async () => {
    const scene = await makeScene({ a: 'a\n', b: 'b\n', c: 'c\n' })
    shell(scene.tree, 'rm b; echo staged > a; git add a; echo more >> a; chmod +x c; ln -s a l; echo new > n')
    const moment = pictureOf(scene)
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'git add -A; git commit -qm all; rm l; mkdir l; echo x > l/x; rm -r n; echo b2 > b')
    const { notes, safety } = await restoreTo(scene, id)
    expect(pictureOf(scene)).toEqual(moment)
    expect(existsSync(join(scene.tree, 'b'))).toBe(false)
    expect(notes).toEqual([])
    expect(safety).toMatchObject({ id: 2, reason: 'restore' })
  })

  test('brings names back that are not UTF-8, hold newlines or begin with a dash, and swapped directories', async () => {
    const scene = await makeScene({ 'd/a': 'a\n', f: 'f\n' })
    shell(
      scene.tree,
      `echo 1 > -rf; echo 2 > "$(printf 'n\\nl')"; echo 3 > "$(printf 'caf\\351')"; ln -s /none s`,
    )
    const moment = treeManifest(scene.tree)
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'rm -r ./-rf d f s; ln -s /tmp d; mkdir f s; echo x > f/x; echo y > s/y; git add -A')
    await restoreTo(scene, id)
    expect(treeManifest(scene.tree)).toEqual(moment)
  })

  test('never writes through a link that was put in the place of a directory', async () => {
    const scene = await makeScene({ 'd/a': 'a\n' })
    const { id } = await takeNowIn(scene)
    const outside = join(scene.root, 'outside')
    mkdirSync(outside)
    shell(scene.tree, `rm -r d; printf 'd\\n' > .gitignore; ln -s "${outside}" d`)
    await restoreTo(scene, id)
    expect(lstatSync(join(scene.tree, 'd')).isDirectory()).toBe(true)
    expect(existsSync(join(outside, 'a'))).toBe(false)
    await undoLast(scene.repository)
    expect(readlinkSync(join(scene.tree, 'd'))).toBe(outside)
  })

  test('leaves files that only an uncommitted .gitignore hides, and secrets, as they are', async () => {
    const scene = await makeScene({ a: 'a\n', '.gitignore': '' })
    shell(scene.tree, 'echo SECRET=1 > .env')
    const { id, excluded } = await takeNowIn(scene)
    expect(excluded).toEqual(['.env'])
    shell(scene.tree, "printf 'cache\\n' > .gitignore; echo kept > cache; echo SECRET=2 > .env; echo b > a")
    await restoreTo(scene, id)
    const files = treeManifest(scene.tree)
    expect(files).toEqual({
      a: 'file a\n',
      '.gitignore': 'file ',
      cache: 'file kept\n',
      '.env': 'file SECRET=2\n',
    })
  })

  test('leaves a secret that was committed after the checkpoint', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'echo SECRET=1 > .env')
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'git add -f .env; git commit -qm oops')
    await restoreTo(scene, id)
    expect(readFileSync(join(scene.tree, '.env'), 'utf8')).toBe('SECRET=1\n')
    expect(git(scene.tree, 'status', '--short')).toBe('?? .env')
  })

  test('leaves build output that its own .gitignore had hidden, though later nothing did', async () => {
    const scene = await makeScene({ a: 'a\n', '.gitignore': 'build/\n' })
    shell(scene.tree, 'mkdir build; echo o > build/o')
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'rm .gitignore; git add -A; git commit -qm all')
    await restoreTo(scene, id)
    expect(readFileSync(join(scene.tree, 'build/o'), 'utf8')).toBe('o\n')
    expect(git(scene.tree, 'status', '--short', '--ignored')).toBe('!! .agency/\n!! build/')
  })

  test('sets ignored files aside that stand in its way, and undo brings them back', async () => {
    const scene = await makeScene({ a: 'a\n', '.gitignore': '' })
    shell(scene.tree, 'echo mine > cache')
    const { id } = await takeNowIn(scene)
    shell(scene.tree, "printf 'cache\\n' > .gitignore; rm cache; mkdir cache; echo his > cache/x")
    const later = treeManifest(scene.tree)
    const { notes } = await restoreTo(scene, id)
    expect(readFileSync(join(scene.tree, 'cache'), 'utf8')).toBe('mine\n')
    expect(notes).toEqual([
      expect.stringMatching(/^1 path that no checkpoint holds stood in the way: moved to /),
    ])
    await undoLast(scene.repository)
    expect(treeManifest(scene.tree)).toEqual(later)
    await redoLast(scene.repository)
    expect(readFileSync(join(scene.tree, 'cache'), 'utf8')).toBe('mine\n')
  })

  sample(test).each([
    ['a secret of today', 'secret.txt', { denylist: ['secret.txt'] }],
    ['a file that is too large today', 'grown', { max_file_size: 10 }],
    ['a directory of secrets in its place', 'conf', { denylist: ['key'] }],
  ])('spares %s where the checkpoint holds that path', async (_what, path, today) => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, `echo old > ${path}`)
    const { id } = await takeNowIn(scene)
    const now =
      path === 'conf'
        ? `rm ${path}; mkdir ${path}; echo mine > ${path}/key`
        : `echo mine and longer > ${path}`
    shell(scene.tree, now)
    const later = treeManifest(scene.tree)
    const settings = { ...SETTINGS, ...today }
    const { notes, safety } = await restoreCheckpoint(scene.repository, scene.record, {
      checkpoint: id,
      settings,
    })
    expect(safety.excluded).toEqual([path === 'conf' ? 'conf/key' : path])
    expect(readFileSync(join(scene.tree, path), 'utf8')).toBe('old\n')
    expect(notes).toEqual([
      expect.stringMatching(/^1 path that no checkpoint holds stood in the way: moved to /),
    ])
    await undoLast(scene.repository, settings)
    expect(treeManifest(scene.tree)).toEqual(later)
  })

  test('keeps the marker, and makes it again where it was gone', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    shell(scene.tree, 'echo b > a; rm -r .agency')
    await restoreTo(scene, id)
    expect(existsSync(join(scene.tree, '.agency/SANDBOX_MARKER'))).toBe(true)
    expect(git(scene.tree, 'status', '--short')).toBe('')
  })

  test('keeps a nested repository that nobody asked it to touch', async () => {
    const scene = await makeScene({ a: 'a\n' })
    shell(scene.tree, 'git init -q nested; echo x > nested/x')
    const { id, incomplete } = await takeNowIn(scene)
    expect(incomplete).toEqual(['nested'])
    shell(scene.tree, 'echo b > a')
    await restoreTo(scene, id)
    expect(readFileSync(join(scene.tree, 'nested/x'), 'utf8')).toBe('x\n')
  })

  test('removes a lock that a killed git of the agent left, and not one of somebody at work', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    const lock = join(showPath(scene.record.git_dir), 'index.lock')
    writeFileSync(lock, '')
    expect(await refusal(restoreTo(scene, id))).toMatchObject({ code: 'E_INTEGRATION_BUSY' })
    shell(scene.tree, `touch -d '2026-01-28T11:30:30Z' "${lock}"`)
    await restoreTo(scene, id)
    expect(existsSync(lock)).toBe(false)
  })
})

describe('it is refused', () => {
  test('while the agent works', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    const { invocation_id } = scene.record
    await updateInvocation(scene.repository.paths, invocation_id, { status: 'running', host: null })
    const error = await refusal(restoreTo(scene, id))
    expect(error).toMatchObject({ code: 'E_INVOCATION_RUNNING', hint: `agency agent stop ${invocation_id}` })
    expect(readCheckpoints(scene.repository.paths, invocation_id)).toHaveLength(1)
  })

  test('without such a checkpoint', async () => {
    const scene = await makeScene({ a: 'a\n' })
    expect(await refusal(restoreTo(scene, 7))).toMatchObject({
      code: 'E_CHECKPOINT_NOT_FOUND',
      exitStatus: 3,
    })
  })

  test('where the checkpoint keeps another sandbox', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const { id } = await takeNowIn(scene)
    const path = scene.repository.paths.invocation(scene.record.invocation_id).checkpoints
    const planted = git(
      scene.root,
      'commit-tree',
      'HEAD^{tree}',
      '-m',
      git(
        scene.root,
        'log',
        '-1',
        '--format=%B',
        `refs/agency/snapshots/${scene.record.invocation_id}/1`,
      ).replaceAll(scene.record.sandbox_branch, 'main'),
    )
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/"snapshot_commit": "[0-9a-f]+"/, `"snapshot_commit": "${planted}"`))
    expect(await refusal(restoreTo(scene, id))).toMatchObject({ code: 'E_RECORD_UNREADABLE' })
  })
})
