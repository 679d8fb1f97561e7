import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseInvocationId } from '../../../../src/core/model/ids.ts'
import { findInvocation } from '../../../../src/core/operations/invocations/known-invocations.ts'
import { surveyInvocations, surveyWorktrees } from '../../../../src/core/operations/invocations/survey.ts'
import { updateInvocation } from '../../../../src/core/store/invocations.ts'
import { openRepository } from '../../../../src/core/store/repository.ts'
import { makeRepository, makeScratch } from '../../../support/git/repository.ts'
import { writeClosed } from '../../../support/records/closed-records.ts'
import { makeEffects } from '../../../support/scene/effects.ts'
import { makeSandbox, makeScene, makeWorktree } from '../../../support/scene/sandbox.ts'

const stalled_after = 300

describe('a survey', () => {
  test('tells of what is open, and names those that it left out because they are closed', async () => {
    const { repository, record } = await makeScene()
    const closed = writeClosed(repository, 3)
    const survey = await surveyInvocations(repository, { stalled_after, open_only: true })
    expect(survey.invocations.map((view) => view.record.invocation_id)).toEqual([record.invocation_id])
    expect(survey.invocations[0]).toMatchObject({ display: 'ready', worktree_name: 'feature' })
    expect(survey.closed).toEqual(closed)
  })

  test('does not look at what is to be skipped', async () => {
    const { repository } = await makeScene()
    const [first, ...rest] = writeClosed(repository, 3)
    const skip = new Set(rest)
    const survey = await surveyInvocations(repository, { stalled_after, open_only: true, skip })
    expect(survey.closed).toEqual([first])
  })

  test('of some reads these alone, closed ones too, and leaves out what does not exist', async () => {
    const { repository, worktree } = await makeScene()
    const other = await makeSandbox(repository, worktree)
    const [closed] = writeClosed(repository, 2)
    const missing = parseInvocationId('20200101000000-0000')
    const only = [other.invocation_id, missing, ...(closed === undefined ? [] : [closed])]
    const survey = await surveyInvocations(repository, { stalled_after, only })
    expect(survey.invocations.map((view) => view.record.invocation_id)).toEqual([other.invocation_id, closed])
  })

  test('shows what is broken, and says why', async () => {
    const { repository, record, tree } = await makeScene()
    rmSync(tree, { recursive: true })
    const survey = await surveyInvocations(repository, { stalled_after, open_only: true })
    expect(survey.invocations).toEqual([])
    expect(survey.broken).toMatchObject([{ invocation_id: record.invocation_id, broken: true }])
    expect(survey.broken[0]?.reason).toContain('missing')
  })

  test('records the end of one whose host has vanished', async () => {
    const { repository, record } = await makeScene()
    await updateInvocation(repository.paths, record.invocation_id, {
      status: 'running',
      landing_status: null,
      host: { pid: 1, start_time: 'gone', socket_path: '' },
    })
    const survey = await surveyInvocations(repository, { stalled_after, only: [record.invocation_id] })
    expect(survey.invocations[0]).toMatchObject({ display: 'failed', record: { exit_reason: 'unknown' } })
  })

  test('of three thousand records leaves time for other things again and again', async () => {
    const { repository } = await makeScene()
    writeClosed(repository, 3_000)
    let turns = 0
    let surveying = true
    const others = (): void => {
      turns += 1
      if (surveying) setImmediate(others)
    }
    setImmediate(others)
    await surveyInvocations(repository, { stalled_after })
    surveying = false
    expect(turns).toBeGreaterThan(3)
  })

  test('of worktrees tells of all that can be read', async () => {
    const { repository } = await makeScene()
    const second = await makeWorktree(repository, 'second')
    writeFileSync(repository.paths.worktree(second.worktree_id).meta, '{')
    const names = (await surveyWorktrees(repository)).map(({ name }) => name)
    expect(names).toEqual(['feature'])
  })

  test('of a repository without any record is empty', async () => {
    const scratch = makeScratch()
    const root = makeRepository(join(scratch, 'person'))
    const repository = await openRepository(makeEffects(join(scratch, 'data')), root)
    const survey = await surveyInvocations(repository, { stalled_after })
    expect(survey).toEqual({ invocations: [], broken: [], closed: [] })
    expect(await surveyWorktrees(repository)).toEqual([])
  })
})

describe('an invocation that is named by its whole id', () => {
  test('is found although another cannot be read, and a broken one says so', async () => {
    const { repository, worktree, record } = await makeScene()
    const other = await makeSandbox(repository, worktree)
    writeFileSync(repository.paths.invocation(other.invocation_id).meta, '{')
    expect(findInvocation(repository.paths, record.invocation_id).invocation_id).toBe(record.invocation_id)
    expect(() => findInvocation(repository.paths, other.invocation_id)).toThrow('is broken')
    expect(() => findInvocation(repository.paths, '20200101000000-0000')).toThrow(/20200101000000-0000/)
  })
})
