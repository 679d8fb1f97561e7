import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Agency } from '../../../../src/core/facade/agency.ts'
import { createAgency } from '../../../../src/core/facade/create-agency.ts'
import type { Operation } from '../../../../src/core/model/operation.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { appendOperation, readOperations } from '../../../../src/core/store/operations-log.ts'
import { updateWorktree } from '../../../../src/core/store/worktrees.ts'
import type { Snapshot } from '../../../../src/ui/screen/observe/snapshot.ts'
import { idsOf, isTaken, observe, rowOf, until } from '../../../support/dashboard/observing.ts'
import { makeSandbox, makeScene, type Scene, shell } from '../../../support/scene/sandbox.ts'

async function openScene(files?: Readonly<Record<string, string>>): Promise<Scene & { agency: Agency }> {
  const scene = await makeScene(files)
  const { effects } = scene.repository
  return { ...scene, agency: await createAgency({ cwd: scene.root, effects, configOf: () => ({}) }) }
}

describe('an observer of a real repository', () => {
  test('shows what there is, and what comes to be', async () => {
    const { agency, repository, worktree, record } = await openScene()
    const observer = observe(agency)
    const first = await until(observer, isTaken)
    expect(idsOf(first)).toEqual([record.invocation_id])
    expect(first.counters).toMatchObject({ ready: 1, working: 0 })
    expect(first.worktrees).toMatchObject([{ record: { name: 'feature' }, ready: 1 }])
    const other = await makeSandbox(repository, worktree)
    const second = await until(observer, (now) => idsOf(now).includes(other.invocation_id))
    expect(second.counters.ready).toBe(2)
    expect(rowOf(second, record.invocation_id)).toBe(first.invocations[0])
  })

  test('sees a landing and its undo, and what undo would do', async () => {
    const { agency, tree, record } = await openScene()
    shell(tree, 'echo new > new; git add new; git commit -qm New')
    const observer = observe(agency)
    await until(observer, isTaken)
    await agency.landInvocation(record.invocation_id)
    const landed = await until(observer, (now) => now.history.undo !== null && now.invocations.length === 0)
    expect(landed.history.undo?.description).toContain('onto feature, 1 commit')
    await agency.undo()
    const undone = await until(observer, (now) => now.history.redo !== null && now.invocations.length === 1)
    expect(undone.counters.ready).toBe(1)
  })

  describe('what a verb writes after its line in the log is seen', () => {
    const gone = (now: Snapshot) => now.history.undo !== null && now.invocations.length === 0
    const back = (now: Snapshot) => now.invocations.length === 1 && now.worktrees.length === 1

    function logLine({ record, repository }: Scene, kind: Operation['kind']): void {
      const target = readOperations(repository.paths).at(-1)?.operation_id ?? null
      const about = { worktree_id: record.integration_worktree_id, invocation_ids: [record.invocation_id] }
      const stamp = { now: new Date(), random: randomBytes(2) }
      appendOperation(repository.paths, { kind, description: kind, refs: [], target, ...about }, stamp)
    }

    async function discardRecord(scene: Scene): Promise<void> {
      const { paths } = scene.repository
      await updateInvocation(paths, scene.record.invocation_id, { landing_status: 'discarded' })
      logLine(scene, 'discard')
    }

    const reopenRecord = ({ record, repository }: Scene) =>
      updateInvocation(repository.paths, record.invocation_id, { landing_status: 'pending' })

    /** Resolves when the observer has read the line and the records that it names. */
    async function logUndo(scene: Awaited<ReturnType<typeof openScene>>): Promise<void> {
      const { agency, record } = scene
      const { surveyInvocations } = agency
      const read = new Promise<void>((resolve) => {
        agency.surveyInvocations = async (options) => {
          const survey = await surveyInvocations(options)
          if (options?.only?.includes(record.invocation_id) === true) setImmediate(resolve)
          return survey
        }
      })
      logLine(scene, 'undo')
      await read
    }

    test('of an invocation', async () => {
      const scene = await openScene()
      const observer = observe(scene.agency)
      await until(observer, isTaken)
      await discardRecord(scene)
      await until(observer, gone)
      await logUndo(scene)
      await reopenRecord(scene)
      await until(observer, back)
    })

    test('of an invocation, by the next look at everything, if no change is told', async () => {
      const scene = await openScene()
      scene.agency.watchRecords = () => Promise.reject(new Error('no watches'))
      const observer = observe(scene.agency)
      await until(observer, isTaken)
      await discardRecord(scene)
      observer.refresh()
      await until(observer, gone)
      const read = logUndo(scene)
      observer.refresh()
      await read
      await reopenRecord(scene)
      observer.refresh()
      await until(observer, back)
    })

    test('of an invocation that was closed before the observer began', async () => {
      const scene = await openScene()
      await discardRecord(scene)
      logLine(scene, 'undo')
      const observer = observe(scene.agency)
      await until(observer, isTaken)
      await reopenRecord(scene)
      await until(observer, back)
    })

    test('of a worktree', async () => {
      const scene = await openScene()
      const { paths } = scene.repository
      const observer = observe(scene.agency)
      await until(observer, isTaken)
      await updateWorktree(paths, scene.worktree.worktree_id, { state: 'archived' })
      await discardRecord(scene)
      await until(observer, (now) => gone(now) && now.worktrees.length === 0)
      await logUndo(scene)
      await updateWorktree(paths, scene.worktree.worktree_id, { state: 'present' })
      await reopenRecord(scene)
      await until(observer, back)
    })
  })

  test('works out diffstat and forecast of what is looked at, and of nothing else', async () => {
    const { agency, tree, record, repository, worktree } = await openScene()
    const other = await makeSandbox(repository, worktree)
    shell(tree, 'printf "1\\n2\\n" > new; git add new; git commit -qm New')
    const observer = observe(agency)
    await until(observer, isTaken)
    observer.setVisible([record.invocation_id])
    const seen = await until(observer, (now) => rowOf(now, record.invocation_id)?.forecast.at !== null)
    const row = rowOf(seen, record.invocation_id)
    expect(row?.diff.value).toEqual({ added: 2, deleted: 0, files: 1 })
    expect(row?.forecast.value).toEqual({ kind: 'clean', manner: 'fast_forward', commits: 1 })
    expect(rowOf(seen, other.invocation_id)?.diff.at).toBeNull()
  })

  test('foretells anew what would land when the person commits in the worktree', async () => {
    const { agency, tree, record, worktree } = await openScene()
    shell(tree, 'echo theirs > both; git add both; git commit -qm Theirs')
    const observer = observe(agency, { pace: { active_ms: 20 } })
    await until(observer, isTaken)
    observer.setVisible([record.invocation_id])
    const foretold = (kind: string) => until(observer, (now) => kindOf(now) === kind)
    const kindOf = (now: Snapshot) => rowOf(now, record.invocation_id)?.forecast.value?.kind
    await foretold('clean')
    shell(worktree.tree_path, 'echo mine > both; git add both; git commit -qm Mine')
    await foretold('conflict')
    shell(worktree.tree_path, 'git pack-refs --all; git reset -q --hard HEAD~1')
    await foretold('clean')
  })

  test('measures again what an agent wrote, once it is silent', async () => {
    const { agency, tree, record, repository } = await openScene()
    const { raw } = repository.paths.invocation(record.invocation_id)
    writeFileSync(raw, 'begun\n')
    await updateInvocation(repository.paths, record.invocation_id, {
      status: 'running',
      landing_status: null,
      finished_at: null,
      host: { ...repository.effects.processes.self, socket_path: '' },
    })
    const observer = observe(agency, { pace: { active_ms: 20, quiet_ms: 50, diff_ms: 0, backoff: 0 } })
    await until(observer, isTaken)
    observer.setVisible([record.invocation_id])
    await until(observer, (now) => rowOf(now, record.invocation_id)?.diff.value?.files === 0)
    writeFileSync(`${tree}/new`, 'one\n')
    appendFileSync(raw, 'wrote a file\n')
    utimesSync(raw, new Date(), new Date())
    await until(observer, (now) => rowOf(now, record.invocation_id)?.diff.value?.files === 1)
  })

  test('shows one apart whose sandbox has gone missing', async () => {
    const { agency, tree, record } = await openScene()
    const observer = observe(agency)
    await until(observer, isTaken)
    rmSync(dirname(tree), { recursive: true })
    observer.refresh(record.invocation_id)
    const { broken, invocations } = await until(observer, (now) => now.broken.length === 1)
    expect(broken[0]).toMatchObject({ invocation_id: record.invocation_id })
    expect(invocations).toEqual([])
  })

  test('reads closed ones when they are asked for', async () => {
    const { agency, record, repository } = await openScene()
    await updateInvocation(repository.paths, record.invocation_id, { landing_status: 'landed' })
    const observer = observe(agency)
    expect(idsOf(await until(observer, isTaken))).toEqual([])
    observer.showArchived(true)
    const shown = await until(observer, (now) => now.archived_shown && !now.archived_loading)
    expect(shown.invocations.map(({ display }) => display)).toEqual(['landed'])
    observer.showArchived(false)
    await until(observer, (now) => now.invocations.length === 0)
  })

  test('tells the last events of the selected one', async () => {
    const { agency, record, repository } = await openScene()
    const { dir, events } = repository.paths.invocation(record.invocation_id)
    mkdirSync(dir, { recursive: true })
    const event = { at: '2026-01-28T12:00:00Z', kind: 'started', message: 'it runs' }
    appendFileSync(events, `${JSON.stringify(event)}\n`)
    const observer = observe(agency)
    observer.select(record.invocation_id)
    const detail = (await until(observer, (now) => now.detail !== null)).detail
    expect(detail).toEqual({ invocation_id: record.invocation_id, events: [event], failed: null })
    observer.select(null)
    await until(observer, (now) => now.detail === null)
  })
})
