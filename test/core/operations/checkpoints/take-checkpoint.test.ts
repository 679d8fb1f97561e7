import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/core/doors/system/system-clock.ts'
import { snapshotRef } from '../../../../src/core/model/checkpoint.ts'
import { parseKeptState } from '../../../../src/core/model/kept-state.ts'
import { showPath } from '../../../../src/core/model/sandbox-path.ts'
import { readCheckpoints } from '../../../../src/core/store/checkpoints.ts'
import { readEvents } from '../../../../src/core/store/events.ts'
import { writeInvocation } from '../../../../src/core/store/invocations.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { fileIn, filesIn, take, taken } from '../../../support/scene/checkpoints.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const listed = ({ repository, record }: Scene) => readCheckpoints(repository.paths, record.invocation_id)
const events = ({ repository, record }: Scene) => readEvents(repository.paths, record.invocation_id)

test('the first one holds the whole state, and says how it differs from the base', async () => {
  const scene = await makeScene({ a: 'a\n', b: 'b\n' })
  shell(scene.tree, 'echo more >> a; rm b; echo new > n')
  const checkpoint = await taken(scene, 'turn')
  expect(checkpoint).toMatchObject({
    id: 1,
    snapshot_ref: snapshotRef(scene.record.invocation_id, 1),
    snapshot_commit: git(scene.root, 'rev-parse', snapshotRef(scene.record.invocation_id, 1)),
    head_sha: scene.record.base_commit,
    diffstat: '+2 -1 in 3 files',
    parent: null,
    reason: 'turn',
    turn: null,
    name: null,
    excluded: [],
    incomplete: [],
    includes_untracked: true,
  })
  expect(filesIn(scene, checkpoint)).toEqual(['a', 'n'])
  expect(listed(scene)).toEqual([checkpoint])
})

test('each has the one before and the HEAD of its moment as parents, and counts against the one before', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo one >> a')
  const first = await taken(scene)
  shell(scene.tree, 'git commit -qam one; echo two >> a')
  const second = await taken(scene)
  expect(second).toMatchObject({ id: 2, parent: 1, diffstat: '+1 -0 in 1 file' })
  const head = git(scene.tree, 'rev-parse', 'HEAD')
  expect(git(scene.root, 'log', '-1', '--format=%P', second.snapshot_commit)).toBe(
    `${first.snapshot_commit} ${head}`,
  )
  const chain = git(scene.root, 'log', '--first-parent', '--format=%s', second.snapshot_ref)
  expect(chain).toContain('Checkpoint 2 of')
  expect(chain).toContain('Checkpoint 1 of')
})

test('where nothing has changed there is no new one', async () => {
  const scene = await makeScene({ a: 'a\n' })
  expect(await take(scene)).toBeNull()
  shell(scene.tree, 'echo b > b')
  expect(await take(scene)).not.toBeNull()
  expect(await take(scene)).toBeNull()
  shell(scene.tree, 'touch a; git status')
  expect(await take(scene, 'restore')).toBeNull()
  shell(scene.tree, 'git commit -q --allow-empty -m empty')
  expect(await take(scene)).toMatchObject({ id: 2, diffstat: '+0 -0 in 0 files' })
})

test('what is staged alone makes a new one only where a person asks, or before a restore', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > b')
  await taken(scene)
  shell(scene.tree, 'git add b')
  expect(await take(scene, 'quiet')).toBeNull()
  expect(await take(scene, 'asked')).not.toBeNull()
  expect(await take(scene, 'asked')).toBeNull()
  shell(scene.tree, 'git checkout -q -b elsewhere')
  expect(await take(scene, 'restore')).not.toBeNull()
})

test('the commit says by itself what restoring needs', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo staged > a; git add a; echo later > a; git checkout -q --orphan fresh')
  const checkpoint = await taken(scene)
  const message = git(scene.root, 'log', '-1', '--format=%B', checkpoint.snapshot_commit)
  const kept = parseKeptState(message)
  expect(kept).toMatchObject({ head_ref: 'refs/heads/fresh', unborn: true, incomplete: [] })
  expect(checkpoint.head_sha).toBeNull()
  expect(git(scene.root, 'show', `${kept?.index_tree}:a`)).toBe('staged')
  expect(fileIn(scene, checkpoint, 'a')).toBe('later')
})

test('secrets stay out, the rest is taken, and each is told of once', async () => {
  const scene = await makeScene({ a: 'a\n', '.env.example': 'public\n' })
  shell(
    scene.tree,
    `echo K > .env; mkdir -p deep/er; echo K > deep/er/.ENV.local; echo K > server.pem
     echo x > foo.environment.ts; echo x > monkey.keyboard.ts; echo changed > .env.example`,
  )
  const checkpoint = await taken(scene)
  expect(checkpoint.excluded).toEqual(['.env', 'deep/er/.ENV.local', 'server.pem'])
  expect(filesIn(scene, checkpoint)).toEqual([
    '.env.example',
    'a',
    'foo.environment.ts',
    'monkey.keyboard.ts',
  ])
  expect(fileIn(scene, checkpoint, '.env.example')).toBe('changed')
  shell(scene.tree, 'echo more >> a; echo K > new.key')
  expect((await taken(scene)).excluded).toEqual(['.env', 'deep/er/.ENV.local', 'new.key', 'server.pem'])
  const told = events(scene).filter(({ kind }) => kind === 'checkpoint_excluded')
  expect(told.map(({ path }) => path)).toEqual(['.env', 'deep/er/.ENV.local', 'server.pem', 'new.key'])
})

test('no object of the repository holds a secret because of us', async () => {
  const scene = await makeScene({ a: 'a\n' })
  writeFileSync(join(scene.tree, '.env'), 'SECRET=1\n')
  shell(scene.tree, 'echo b > a')
  await taken(scene)
  shell(scene.tree, 'git init -q sub; echo x > sub/x; echo SECRET=2 > .env')
  await take(scene)
  for (const text of ['SECRET=1\n', 'SECRET=2\n']) {
    const name = shell(scene.root, `printf '${text}' | git hash-object --stdin`).trim()
    expect(() => git(scene.root, 'cat-file', '-e', name)).toThrow()
  }
})

test('a secret that was staged by force is in neither tree, one that was committed is kept', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo K > .env; echo n > n; git add -f .env n')
  const staged = await taken(scene)
  expect(staged.excluded).toEqual(['.env'])
  expect(filesIn(scene, staged)).toEqual(['a', 'n'])
  const kept = parseKeptState(git(scene.root, 'log', '-1', '--format=%B', staged.snapshot_commit))
  expect(git(scene.root, 'ls-tree', '-r', '--name-only', kept?.index_tree ?? '')).toBe('a\nn')
  shell(scene.tree, 'git commit -qm secret; echo L >> .env')
  const committed = await taken(scene)
  expect(committed.excluded).toEqual([])
  expect(fileIn(scene, committed, '.env')).toBe('K\nL')
  shell(scene.tree, 'git rm -q --cached .env')
  expect(filesIn(scene, await taken(scene, 'asked'))).toContain('.env')
})

test('a secret that is ignored later is no longer spoken of', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo K > .env; echo b > a')
  expect((await taken(scene)).excluded).toEqual(['.env'])
  shell(scene.tree, 'echo .env > .gitignore')
  const checkpoint = await taken(scene)
  expect(checkpoint.excluded).toEqual([])
  expect(filesIn(scene, checkpoint)).toEqual(['.gitignore', 'a'])
})

test('where the person wants so, a secret is in the way', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo K > token.txt')
  const settings = { on_denylisted: 'skip', denylist: ['token*'] } as const
  await expect(take(scene, 'quiet', settings)).rejects.toMatchObject({ code: 'E_CHECKPOINT_SKIPPED' })
  expect(listed(scene)).toEqual([])
  shell(scene.tree, 'rm token.txt; echo b > a')
  expect(await take(scene, 'quiet', settings)).not.toBeNull()
})

test('files over the limit are named and left out, unless git holds them as they are', async () => {
  const scene = await makeScene({ a: 'a\n', big: 'x'.repeat(2000), 'big-too': 'y'.repeat(2000) })
  shell(scene.tree, 'head -c 1001 /dev/zero > large; head -c 1000 /dev/zero > fits; echo more >> big-too')
  const checkpoint = await taken(scene, 'quiet', { max_file_size: 1000 })
  expect(checkpoint.excluded).toEqual(['big-too', 'large'])
  expect(filesIn(scene, checkpoint)).toEqual(['a', 'big', 'fits'])
})

test('the rules hold in a tree that is out of the ordinary too', async () => {
  const scene = await makeScene({ a: 'a\n', 'out/z': 'z\n' })
  shell(
    scene.tree,
    `git update-index --assume-unchanged a; echo edited > a; echo K > .env; echo n > n
     echo K > x.key; git add -f x.key; head -c 2000 /dev/zero > large`,
  )
  const checkpoint = await taken(scene, 'quiet', { max_file_size: 1000 })
  expect(checkpoint.excluded).toEqual(['.env', 'large', 'x.key'])
  expect(filesIn(scene, checkpoint)).toEqual(['a', 'n', 'out/z'])
  expect(fileIn(scene, checkpoint, 'a')).toBe('edited')
})

test('without untracked files, where the run was started so', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const record = { ...scene.record, include_untracked: false }
  shell(scene.tree, 'echo b > a; echo n > n; echo s > s; git add s; echo K > .env')
  const plain = await taken({ ...scene, record })
  expect(filesIn(scene, plain)).toEqual(['a', 's'])
  expect(plain).toMatchObject({ includes_untracked: false, excluded: [] })
  shell(scene.tree, 'git update-index --assume-unchanged a; echo c > a')
  expect(filesIn(scene, await taken({ ...scene, record }))).toEqual(['a', 's'])
})

test('the middle of a conflicted rebase, merge and bisect', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(
    scene.tree,
    `git checkout -q -b other; echo theirs > a; git commit -qam theirs
     git checkout -q -; echo ours > a; git commit -qam ours; git rebase other || true; echo K > .env`,
  )
  const rebase = await taken(scene)
  expect(fileIn(scene, rebase, 'a')).toContain('<<<<<<<')
  expect(rebase.excluded).toEqual(['.env'])
  expect(git(scene.tree, 'ls-files', '-u')).not.toBe('')
  shell(scene.tree, 'git rebase --abort; git merge other || true; echo x > x')
  expect(fileIn(scene, await taken(scene), 'a')).toContain('<<<<<<<')
  shell(scene.tree, 'git merge --abort; git bisect start -q HEAD HEAD^; echo y > y')
  expect(filesIn(scene, await taken(scene))).toContain('y')
})

test('one that is asked for while another is being taken gets the next number or has nothing to take', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const effects = { ...scene.repository.effects, clock: systemClock }
  const busy = { ...scene, repository: await openRepository(effects, scene.root) }
  const asked = [1, 2, 3, 4].map(async (n) => {
    writeFileSync(join(scene.tree, `file-${n}`), `${n}\n`)
    return take(busy)
  })
  const made = (await Promise.all(asked)).filter((one) => one !== null)
  const ids = listed(scene).map(({ id }) => id)
  expect(ids).toEqual(made.map(({ id }) => id).sort())
  expect(ids).toEqual(ids.map((_id, at) => at + 1))
})

test('one that is asked for is taken even where the agent has done nothing', async () => {
  const scene = await makeScene({ a: 'a\n' })
  expect(await take(scene, 'asked')).toMatchObject({ id: 1, diffstat: '+0 -0 in 0 files' })
})

test('a ref that a kill left behind keeps its number', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > b')
  git(scene.root, 'update-ref', snapshotRef(scene.record.invocation_id, 1), scene.record.base_commit)
  expect((await taken(scene)).id).toBe(2)
})

test('a failure leaves neither ref nor record, and the next one is taken', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > b')
  const fails = { ...scene.repository.effects, onStep: (step: string) => void fail(step) }
  const fail = (step: string): void => {
    if (step === 'record the checkpoint') throw new Error('stopped here')
  }
  await expect(take({ ...scene, repository: { ...scene.repository, effects: fails } })).rejects.toThrow(
    'stopped',
  )
  expect(git(scene.root, 'for-each-ref', 'refs/agency/snapshots')).toBe('')
  expect(await taken(scene)).toMatchObject({ id: 1 })
})

test('a torn list is an error, and stays as it is', async () => {
  const scene = await makeScene({ a: 'a\n' })
  writeFileSync(scene.repository.paths.invocation(scene.record.invocation_id).checkpoints, '{')
  await expect(take(scene)).rejects.toMatchObject({ code: 'E_RECORD_UNREADABLE' })
  expect(git(scene.root, 'for-each-ref', 'refs/agency/snapshots')).toBe('')
})

test('without identity, with signing and hooks that refuse, and with git gc in between', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(
    scene.root,
    `git config --unset user.name; git config --unset user.email; git config commit.gpgsign true
     mkdir -p .git/hooks; for h in reference-transaction pre-commit post-index-change; do
     printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done`,
  )
  shell(scene.tree, 'echo b > a')
  await taken(scene)
  rmSync(join(scene.root, '.git/hooks'), { recursive: true })
  git(scene.root, 'gc', '-q', '--prune=now')
  shell(scene.tree, 'echo c > c')
  const second = await taken(scene)
  git(scene.root, 'gc', '-q', '--prune=now')
  expect(filesIn(scene, second)).toEqual(['a', 'c'])
  expect(git(scene.root, 'fsck', '--no-dangling')).toBe('')
  expect(existsSync(join(showPath(scene.record.git_dir), 'index.lock'))).toBe(false)
})

test('a sandbox that was closed while one was being taken gets none', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo b > a')
  const { repository, record } = scene
  await writeInvocation(repository.paths, { ...record, landing_status: 'discarded' })
  await expect(take(scene)).rejects.toMatchObject({ code: 'E_INVOCATION_CLOSED' })
  expect(git(scene.root, 'for-each-ref', 'refs/agency/snapshots')).toBe('')
  expect(listed(scene)).toEqual([])
})
