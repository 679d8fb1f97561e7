// Locks of killed gits, and refs in the place of ours: verbs say what they did, and doctor finds and mends each.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findHolder, isGitCommand } from '../../../../src/core/doors/system/file-holders.ts'
import { systemProcesses } from '../../../../src/core/doors/system/processes.ts'
import type { InvocationRecord } from '../../../../src/core/model/invocation.ts'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { createWorktree } from '../../../../src/core/operations/integration/create-worktree.ts'
import { landInvocation } from '../../../../src/core/operations/landing/land-invocation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { readInvocation } from '../../../../src/core/store/invocations.ts'
import { openRepository, type Repository } from '../../../../src/core/store/repository.ts'
import { git } from '../../../support/git/repository.ts'
import { sample } from '../../../support/run/sampled.ts'
import { waitUntil } from '../../../support/run/wait.ts'
import { refusal } from '../../../support/scene/refusal.ts'
import { makeSandbox, makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const discard = ({ repository }: Scene, record: InvocationRecord) =>
  discardInvocation(repository, record, async (same) => same)

const problems = async (repository: Repository) =>
  (await diagnose(repository)).findings
    .filter(({ level }) => level === 'problem')
    .map(({ message }) => message)

interface Fresh {
  readonly scene: Scene
  readonly record: InvocationRecord
  readonly commonDir: string
}

async function makeFresh(): Promise<Fresh> {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'echo work > work')
  return { scene, record: scene.record, commonDir: join(scene.root, '.git') }
}

const branchOf = ({ sandbox_branch }: InvocationRecord): string => `refs/heads/${sandbox_branch}`
const trashOf = ({ invocation_id }: InvocationRecord): string => `refs/agency/trash/${invocation_id}`

function putLock(commonDir: string, name: string): string {
  const path = join(commonDir, `${name}.lock`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return path
}

describe('a lock that a dead git has left', () => {
  sample(test).each([
    ['on the sandbox’s branch', (record: InvocationRecord) => branchOf(record)],
    ['on all packed refs', () => 'packed-refs'],
  ])('%s lets a discard be done, with a note; doctor removes it and what was left', async (_, nameOf) => {
    const { scene, record, commonDir } = await makeFresh()
    git(scene.root, 'pack-refs', '--all')
    const lock = putLock(commonDir, nameOf(record))
    const { invocation, notes } = await discard(scene, record)
    expect(invocation.landing_status).toBe('discarded')
    expect(notes.join()).toContain('agency doctor --fix')
    expect(git(scene.root, 'branch', '--list', record.sandbox_branch)).not.toBe('')
    expect((await problems(scene.repository)).join()).toContain(lock)
    await diagnose(scene.repository, { fix: true })
    expect(existsSync(lock)).toBe(false)
    expect(git(scene.root, 'branch', '--list', record.sandbox_branch)).toBe('')
    expect(await problems(scene.repository)).toEqual([])
    await undoLast(scene.repository)
    expect(git(scene.root, 'branch', '--list', record.sandbox_branch)).not.toBe('')
    await discard(scene, readInvocation(scene.repository.paths, record.invocation_id))
  })

  test('on the ref that is to keep it has a discard refused: nothing was changed', async () => {
    const { scene, record, commonDir } = await makeFresh()
    const lock = putLock(commonDir, trashOf(record))
    const refused = await refusal(discard(scene, record))
    expect(refused.code).toBe('E_REF_LOCKED')
    expect(refused.message).toContain(lock)
    expect(readInvocation(scene.repository.paths, record.invocation_id).landing_status).toBe('pending')
    await diagnose(scene.repository, { fix: true })
    await discard(scene, record)
  })

  test('on the worktree’s branch has a landing refused or done, and never half of it', async () => {
    const { scene, record, commonDir } = await makeFresh()
    const lock = putLock(commonDir, `refs/heads/${scene.worktree.branch}`)
    writeFileSync(lock, 'of somebody else\n')
    const tip = git(scene.root, 'rev-parse', scene.worktree.branch)
    const refused = await refusal(landInvocation(scene.repository, record, { apply: true }))
    expect(refused.code).toBe('E_REF_LOCKED')
    expect(git(scene.root, 'rev-parse', scene.worktree.branch)).toBe(tip)
    expect(git(scene.worktree.tree_path, 'status', '--porcelain')).toBe('')
    await diagnose(scene.repository, { fix: true })
    await landInvocation(scene.repository, record, { apply: true })
    await undoLast(scene.repository)
    await discard(scene, record)
  })

  sample(test).each(['HEAD', 'index', 'config', 'shallow', 'refs/heads/main', 'refs/agency/snapshots/x/1'])(
    'on %s is found and removed',
    async (name) => {
      const { scene, record, commonDir } = await makeFresh()
      const lock = putLock(commonDir, name)
      await discard(scene, record)
      expect((await problems(scene.repository)).join()).toContain(lock)
      await diagnose(scene.repository, { fix: true })
      expect(existsSync(lock)).toBe(false)
      expect(await problems(scene.repository)).toEqual([])
    },
  )
})

/** Removed as soon as the test ends. */
function holding(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe.skipIf(process.platform !== 'linux')('a lock that may be held', () => {
  test('by a git that was there before it is left, until that git has ended', async () => {
    const { commonDir, scene } = await makeFresh()
    const child = holding('git', ['cat-file', '--batch'], scene.root)
    await waitUntil(async () => isGitCommand(systemProcesses().titleOf(child.pid ?? 0) ?? ''))
    const lock = putLock(commonDir, 'refs/heads/held')
    expect(findHolder(lock, [scene.root])).toMatchObject({ pid: child.pid })
    expect(findHolder(lock, ['/nowhere'])).toBeNull()
    child.kill('SIGKILL')
    await waitUntil(async () => findHolder(lock, [scene.root]) === null)
    rmSync(lock)
  })

  test('by any program that has it open is left', async () => {
    const { commonDir } = await makeFresh()
    const lock = putLock(commonDir, 'refs/heads/open')
    const child = holding('sh', ['-c', `exec 3<'${lock}'; read x`], commonDir)
    await waitUntil(async () => findHolder(lock, [])?.pid === child.pid)
    child.kill('SIGKILL')
    await waitUntil(async () => findHolder(lock, []) === null)
    rmSync(lock)
  })
})

describe('a ref in the place of ours', () => {
  sample(test).each([
    ['below the one that is to keep it', (record: InvocationRecord) => `${trashOf(record)}/x`],
    ['where all that keep something lie', () => 'refs/agency/trash'],
    ['where all of ours lie', () => 'refs/agency'],
  ])('%s has a discard refused by name, nothing changed; doctor moves it aside', async (_, nameOf) => {
    for (const packed of [false, true]) {
      const { scene, record } = await makeFresh()
      const ref = nameOf(record)
      const commit = git(scene.root, 'commit-tree', '-m', 'Only here', 'HEAD^{tree}')
      git(scene.root, 'update-ref', ref, commit)
      if (packed) git(scene.root, 'pack-refs', '--all')
      const refused = await refusal(discard(scene, record))
      expect(refused.code).toBe('E_REF_IN_THE_WAY')
      expect(refused.message).toContain(ref)
      expect(readInvocation(scene.repository.paths, record.invocation_id).landing_status).toBe('pending')
      expect((await problems(scene.repository)).join()).toContain(`${ref} stands where`)
      await diagnose(scene.repository, { fix: true })
      expect(git(scene.root, 'for-each-ref', '--points-at', commit, 'refs/set-aside/')).not.toBe('')
      expect(await problems(scene.repository)).toEqual([])
      await discard(scene, record)
    }
  })

  sample(test).each([
    [
      'a branch called agency',
      'agency',
      (scene: Scene) => createWorktree(scene.repository, { name: 'new', cwd: scene.root }),
    ],
    ['a branch below a worktree’s', null, (scene: Scene) => discard(scene, scene.record)],
  ])('%s is moved aside as a branch', async (_, name, verb) => {
    const scene = await makeScene({ a: 'a\n' })
    const branch = name ?? `${scene.record.sandbox_branch}/x`
    if (name === null) {
      await discard(scene, scene.record)
      git(scene.root, 'branch', branch)
      expect((await refusal(undoLast(scene.repository))).code).toBe('E_REF_IN_THE_WAY')
    } else {
      for (const ref of git(scene.root, 'for-each-ref', '--format=%(refname)', 'refs/heads/agency').split(
        '\n',
      ))
        git(scene.root, 'update-ref', '-d', ref)
      git(scene.root, 'branch', branch)
      expect((await refusal(verb(scene))).code).toBe('E_REF_IN_THE_WAY')
    }
    await diagnose(scene.repository, { fix: true })
    expect(git(scene.root, 'branch', '--list', 'set-aside/*')).toContain('agency')
    if (name === null) await undoLast(scene.repository)
    else await verb(scene)
  })

  test('a branch called agency of a bare repository, which has no reflogs, is moved aside, too', async () => {
    const scene = await makeScene({ a: 'a\n' })
    const bare = join(dirname(scene.root), 'bare.git')
    git(dirname(scene.root), 'clone', '-q', '--bare', scene.root, bare)
    for (const ref of git(bare, 'for-each-ref', '--format=%(refname)', 'refs/heads/agency').split('\n'))
      git(bare, 'update-ref', '-d', ref)
    git(bare, 'branch', 'agency')
    const repository = await openRepository(scene.repository.effects, bare)
    const { fixed } = await diagnose(repository, { fix: true })
    expect(fixed.join()).toContain('moved refs/heads/agency aside')
    expect(await problems(repository)).toEqual([])
  })

  test('that is checked out is named, with what to type, and left', async () => {
    const scene = await makeScene({ a: 'a\n' })
    for (const ref of git(scene.root, 'for-each-ref', '--format=%(refname)', 'refs/heads/agency').split('\n'))
      git(scene.root, 'update-ref', '-d', ref)
    git(scene.root, 'checkout', '-q', '-b', 'agency')
    const { findings } = await diagnose(scene.repository)
    const about = findings.find(({ message }) => message.includes('refs/heads/agency stands'))
    expect(about).toMatchObject({ fixable: false, remedy: expect.stringContaining('branch -m agency') })
  })

  sample(test).each([
    ['empty', ''],
    ['no object', 'x\n'],
    ['a symbolic ref that leads nowhere', 'ref: refs/heads/nowhere\n'],
  ])('whose file is broken (%s) is moved out of the refs', async (_, text) => {
    const { scene, record, commonDir } = await makeFresh()
    const path = join(commonDir, trashOf(record))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    await diagnose(scene.repository, { fix: true })
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(join(commonDir, 'agency-set-aside'))).toContain(trashOf(record).replaceAll('/', '-'))
    await discard(scene, record)
  })
})

test('gc drops what it can although one ref is locked, and says nothing of that one', async () => {
  const first = await makeFresh()
  const { repository, root, worktree } = first.scene
  const second = { record: await makeSandbox(repository, worktree) }
  for (const { record } of [first, second]) await discard(first.scene, record)
  const { effects } = repository
  const clock = { ...effects.clock, now: () => new Date(effects.clock.now().getTime() + 30 * 86_400_000) }
  const later = { ...repository, effects: { ...effects, clock } }
  const lock = putLock(first.commonDir, trashOf(first.record))
  const { dropped_refs } = await collectGarbage(later, { keep_days: 14, dry_run: false })
  expect(dropped_refs).toContain(trashOf(second.record))
  expect(dropped_refs).not.toContain(trashOf(first.record))
  expect(git(root, 'for-each-ref', trashOf(first.record))).not.toBe('')
  rmSync(lock)
})
