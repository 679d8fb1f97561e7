import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collectGarbage } from '../../../../src/core/operations/diagnosis/collect-garbage.ts'
import { diagnose } from '../../../../src/core/operations/diagnosis/diagnose.ts'
import { undoLast } from '../../../../src/core/operations/history/undo-operation.ts'
import { discardInvocation } from '../../../../src/core/operations/sandboxes/discard-invocation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import type { Repository } from '../../../../src/core/store/repository.ts'
import { git, makeScratch, writeFiles } from '../../../support/git/repository.ts'
import { makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

const discard = ({ repository, record }: Scene) => discardInvocation(repository, record, async (same) => same)
const collect = (repository: Repository, keep_days: number, dry_run = false) =>
  collectGarbage(repository, { keep_days, dry_run })

/** The same repository some days later. */
function later({ effects, ...rest }: Repository, days: number): Repository {
  const clock = {
    ...effects.clock,
    now: () => new Date(effects.clock.now().getTime() + days * 24 * 60 * 60 * 1000),
  }
  return { ...rest, effects: { ...effects, clock } }
}

test('what was kept goes when it is older than the person wants, and not before', async () => {
  const scene = await makeScene({ a: 'a\n' })
  shell(scene.tree, 'git init -q nested; echo x > nested/x; echo b > a')
  const { kept_ref } = await discard(scene)
  const [kept = ''] = readdirSync(scene.repository.paths.trashDir)
  const path = join(scene.repository.paths.trashDir, kept)

  expect(await collect(later(scene.repository, 13), 14)).toEqual({ dropped_refs: [], deleted_paths: [] })
  const due = { dropped_refs: [kept_ref], deleted_paths: [path] }
  expect(await collect(later(scene.repository, 15), 14, true)).toEqual(due)
  expect(existsSync(path)).toBe(true)
  expect(await collect(later(scene.repository, 15), 14)).toEqual(due)
  expect(existsSync(path)).toBe(false)
  expect(git(scene.root, 'for-each-ref', 'refs/agency')).toBe('')
  await expect(undoLast(scene.repository)).rejects.toMatchObject({ code: 'E_UNDO_EXPIRED' })
})

/** The pid of a process that has ended. */
const GONE = 4_000_000
const identityIn = (alive: number) => (pid: number) => (pid === alive ? { pid, start_time: 'test' } : null)

test('what killed commands left is cleared, and what bears no name of ours is not', async () => {
  const scene = await makeScene()
  const { paths } = scene.repository
  const sandbox = paths.invocation(scene.record.invocation_id).sandboxDir
  const old = [
    join(paths.dir, '.lock.takeover-1-2-3'),
    join(paths.invocation(scene.record.invocation_id).dir, 'meta.json.123456789'),
    join(sandbox, '.checkpoint-lock.1-2-3'),
  ]
  const scratch = ['capture', 'drafts', 'commits', 'indexes', 'expected'].map((kind) =>
    join(kind === 'capture' ? sandbox : paths.dir, `${kind}-${GONE}-abCD12`),
  )
  const left = [...old, ...scratch]
  const orphan = join(paths.trashDir, `${scene.record.invocation_id}-20260128113500-00ab`)
  writeFiles(orphan, { x: 'x\n' })
  const foreign = join(paths.trashDir, 'of-the-person')
  writeFiles(foreign, { x: 'x\n' })
  for (const path of old) writeFileSync(path, '')
  for (const path of old) utimesSync(path, 1_700_000_000, 1_700_000_000)
  for (const path of scratch) writeFiles(path, { index: 'i' })
  const inUse = join(sandbox, `capture-${process.pid}-abCD12`)
  const younger = join(sandbox, '.checkpoint-lock.1-2-4')
  mkdirSync(inUse)
  writeFileSync(younger, '')
  const { effects } = scene.repository
  const processes = { ...effects.processes, identityOf: identityIn(process.pid) }
  const repository = { ...scene.repository, effects: { ...effects, processes } }

  const due = [...left, orphan].sort()
  expect((await collect(repository, 14, true)).deleted_paths.toSorted()).toEqual(due)
  const { findings } = await diagnose(repository)
  expect(findings.filter(({ subject }) => subject === 'leftovers')).toMatchObject([
    { message: expect.stringMatching(/^8 scratch files of killed commands: /), fixable: true },
  ])
  const { deleted_paths } = await collect(repository, 14)
  expect([...deleted_paths].sort()).toEqual(due)
  expect([...left, orphan].filter((path) => existsSync(path))).toEqual([])
  expect([foreign, inUse, younger, scene.tree].filter((path) => !existsSync(path))).toEqual([])
})

test('a closed sandbox whose tree is still there is finished; what was touched in it since waits in the trash', async () => {
  const scene = await makeScene({ a: 'a\n' })
  const { repository, record } = scene
  await repository.locked(() =>
    updateInvocation(repository.paths, record.invocation_id, { landing_status: 'landed' }),
  )
  writeFileSync(join(scene.tree, 'a'), 'touched\n')
  const { deleted_paths } = await collect(repository, 14)
  expect(deleted_paths).toEqual([scene.tree])
  expect(existsSync(scene.tree)).toBe(false)
  expect(readdirSync(repository.paths.trashDir)).toEqual([expect.stringMatching(/\.kept$/)])
})

/** Of a sandbox without a record, as doctor moves it there. */
async function setAside({ repository, record, tree }: Scene): Promise<string> {
  shell(tree, 'mkdir d; echo work > d/work; chmod 555 d')
  rmSync(repository.paths.invocation(record.invocation_id).dir, { recursive: true })
  const { fixed } = await diagnose(repository, { fix: true })
  const [name = ''] = readdirSync(repository.paths.trashDir)
  const path = join(repository.paths.trashDir, name)
  expect(fixed).toContain(`moved the sandbox of ${record.invocation_id} to ${path}`)
  return path
}

test('a sandbox without a record goes when it is older than the person wants, and not before', async () => {
  const scene = await makeScene()
  const path = await setAside(scene)
  expect((await collect(later(scene.repository, 13), 14)).deleted_paths).toEqual([])
  expect(readFileSync(join(path, 'tree/d/work'), 'utf8')).toBe('work\n')
  expect((await collect(later(scene.repository, 15), 14, true)).deleted_paths).toEqual([path])
  expect(existsSync(path)).toBe(true)
  expect((await collect(later(scene.repository, 15), 14)).deleted_paths).toEqual([path])
  expect(existsSync(path)).toBe(false)
})

test('a sandbox without a record whose name does not say when it was moved goes by when it was', async () => {
  const scene = await makeScene()
  const untimed = join(scene.repository.paths.trashDir, `${scene.record.invocation_id}-unrecorded`)
  renameSync(await setAside(scene), untimed)
  utimesSync(untimed, 0, 0)
  const { effects } = scene.repository
  const repository = {
    ...scene.repository,
    effects: { ...effects, clock: { ...effects.clock, now: () => new Date() } },
  }
  expect((await collect(later(repository, 13), 14)).deleted_paths).toEqual([])
  expect(readFileSync(join(untimed, 'tree/d/work'), 'utf8')).toBe('work\n')
  expect((await collect(later(repository, 15), 14, true)).deleted_paths).toEqual([untimed])
  expect((await collect(later(repository, 15), 14)).deleted_paths).toEqual([untimed])
  expect(existsSync(untimed)).toBe(false)
})

test('nothing is deleted through a link, nor what has only nearly a name of ours', async () => {
  const scene = await makeScene()
  const { paths } = scene.repository
  const id = scene.record.invocation_id
  const precious = makeScratch()
  writeFiles(precious, { 'tree/work': 'w\n', [`${id}-20200101000000-00ab.unrecorded/x`]: 'x\n' })
  mkdirSync(paths.trashDir)
  for (const name of [`${id}-20200101000000-00ab.unrecorded`, `${id}-unrecorded`]) {
    symlinkSync(precious, join(paths.trashDir, name))
  }
  const foreign = ['x-unrecorded', `${id}-unrecorded.old`, `${id}-20200101000000-00ab.recorded`]
  for (const name of foreign) writeFiles(join(paths.trashDir, name), { x: 'x\n' })
  const names = readdirSync(paths.trashDir)
  const repository = later(scene.repository, 10_000)
  expect((await collect(repository, 14)).deleted_paths).toEqual([])
  expect(readdirSync(paths.trashDir)).toEqual(names)
  rmSync(paths.trashDir, { recursive: true })
  symlinkSync(precious, paths.trashDir)
  expect((await collect(repository, 14)).deleted_paths).toEqual([])
  expect(readdirSync(precious)).toHaveLength(2)
})
